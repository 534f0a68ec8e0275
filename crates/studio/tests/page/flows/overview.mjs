// The files of a folder, and where one goes from there.

import { accessible, corpus, expect, picture, text, verdict } from '../kit.mjs';

corpus('promela/needham_schroeder.pml', 'promela/two_lock_deadlock.pml', 'promela/peterson.pml', 'promela/lost_wakeup.pml',
  'promela/alternating_bit.pml', 'spl/counter_race.spl', 'spl/bakery2.spl', 'programs/philosophers_sysv.c');

export default {
  'the overview lists files with what is expected of them': async page => {
    await page.locator('.file').first().waitFor();
    expect(await page.locator('.file').count() >= 8, 'files are missing');
    expect((await text(page, 'weave-files')).includes('violated'), 'no expectation is shown');
    await picture(page, 'overview');
    await accessible(page);
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
