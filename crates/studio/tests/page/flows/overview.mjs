// The files of a folder, and where one goes from there.

import { accessible, corpus, expect, forBook, give, open, picture, press, text, verdict } from '../kit.mjs';

corpus('promela/needham_schroeder.pml', 'promela/two_lock_deadlock.pml', 'promela/peterson.pml', 'promela/lost_wakeup.pml',
  'promela/alternating_bit.pml', 'spl/counter_race.spl', 'spl/bakery2.spl', 'programs/philosophers_sysv.c');

give('wrongly/expected.pml', '/* expect: holds */\nactive proctype P() { assert(false) }\n');

export default {
  'the overview lists files with what is expected of them': async page => {
    await page.locator('.file').first().waitFor();
    expect(await page.locator('.file').count() >= 8, 'files are missing');
    expect((await text(page, 'weave-files')).includes('violated'), 'no expectation is shown');
    await picture(page, 'overview');
    await accessible(page);
  },
  'all files are checked beside what they expect': async page => {
    const these = async words => {
      await page.getByLabel('Filter the files').fill(words);
      await press(page, 'Check these');
      await page.getByRole('button', { name: 'Check these' }).waitFor();
    };
    await these('wrongly');
    await page.locator('.below .bad', { hasText: 'not as expected' }).waitFor();
    await these('promela/');
    await these('programs/');
    await page.getByLabel('Filter the files').fill('');
    await page.getByRole('button', { name: 'Check all' }).waitFor();
    expect(/[5-9] as expected, 1 not as expected/.test(await text(page, '.sum')), 'it is counted what is as expected');
    expect(/left out/.test(await text(page, '.sum')), 'programs are left out until they are allowed');
    await page.getByRole('button', { name: /More about .*two_lock/ }).click();
    await page.locator('.detail .again').waitFor();
    expect((await text(page, '.detail')).includes('weave check'), 'the command that gives it again is there');
    await picture(page, 'checked');
    await forBook(page, 'overview');
    await accessible(page);
    await open(page, 'two_lock_deadlock.pml');
    await verdict(page, 'VIOLATED');
  },
  'by keyboard alone': async page => {
    await page.locator('.file').first().waitFor();
    await page.getByLabel('Filter the files').focus();
    await page.keyboard.type('needham');
    await page.keyboard.press('Enter');
    await page.locator('weave-source .ln').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'VIOLATED');
    const see = page.getByRole('button', { name: 'See the run' });
    for (let k = 0; k < 60 && !await see.evaluate(e => e === document.activeElement); k++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('weave-chart .row').first().waitFor();
    await page.keyboard.press('Home');
    await page.locator('.alt').first().waitFor();
    await page.keyboard.press('f');
    await page.locator('.fork-tab').nth(1).waitFor();
  },
};
