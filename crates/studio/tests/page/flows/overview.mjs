// The files of a folder, and where one goes from there.

import { accessible, corpus, expect, forBook, give, onDisk, open, picture, press, text, verdict } from '../kit.mjs';

corpus('promela/needham_schroeder.pml', 'promela/two_lock_deadlock.pml', 'promela/peterson.pml', 'promela/lost_wakeup.pml',
  'promela/alternating_bit.pml', 'spl/counter_race.spl', 'spl/bakery2.spl', 'programs/philosophers_sysv.c');

give('wrongly/expected.pml', '/* expect: holds */\nactive proctype P() { assert(false) }\n');

const KEYS = 'byte x;\nactive proctype P() { x = 1 }\nactive proctype Q() { x = 2; assert(x == 2) }\n';
give('keys.pml', KEYS);
give('keys.spl', 'local x: integer where x = 0\nP :: [ l0: loop forever do [ l1: x := x + 1 ] ]\nPROPERTY grows: [](x >= 0)\n');

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
  'by keyboard alone, from the folder to a diagram': async page => {
    const filter = page.getByLabel('Filter the files'), has = element => element === document.activeElement;
    /** Goes along the page with Tab until this has the focus. */
    const reach = async where => {
      await where.waitFor();
      for (let k = 0; k < 120 && !await where.evaluate(has); k++) await page.keyboard.press('Tab');
      expect(await where.evaluate(has), `${where} is reached with Tab`);
      const ring = await where.evaluate(element => { const { outlineStyle, outlineWidth } = getComputedStyle(element); return outlineStyle !== 'none' && outlineWidth !== '0px' || element instanceof HTMLTextAreaElement; });
      expect(ring, `${where} shows that it has the focus`);
    };
    const to = async (role, name) => { await reach(page.getByRole(role, { name, exact: true })); await page.keyboard.press('Enter'); };
    const file = async words => { await reach(filter); await page.keyboard.press('Control+a'); await page.keyboard.type(words); await page.keyboard.press('Enter'); await page.locator('weave-source .ln').first().waitFor(); };
    await page.locator('.file').first().waitFor();
    await file('keys.pml');
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'VIOLATED');
    await to('button', 'See the run');
    await page.locator('weave-chart .row').first().waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('.alt').nth(1).waitFor();
    await page.keyboard.press('f');
    await page.locator('.fork-tab').nth(1).waitFor();
    await to('link', 'Source');
    await reach(page.getByLabel('Source', { exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(KEYS.replace('x == 2', 'x > 0'));
    await verdict(page, 'HOLDS');
    await page.keyboard.press('Control+s');
    await page.waitForFunction(() => !document.querySelector('weave-source h2')?.textContent?.includes('not saved'));
    expect(onDisk('keys.pml').includes('x > 0'), 'it is saved');
    await page.keyboard.press('Escape');
    await to('link', /^Overview/);
    await file('keys.spl');
    await to('button', 'Prove');
    await verdict(page, 'HOLDS');
    await to('link', 'Diagrams');
    await to('button', 'New diagram');
    await page.locator('dialog .way').first().waitFor();
    await reach(page.locator('dialog .way').first());
    await page.keyboard.press('Enter');
    await page.locator('weave-diagram h2 select').waitFor();
    await reach(page.locator('.canvas'));
    await page.keyboard.press('n');
    await page.locator('.in-place input').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('x >= 0');
    await page.keyboard.press('Enter');
    await page.locator('.node.proved').waitFor();
    await page.locator('weave-diagram h2 .badge.good').waitFor();
    await picture(page, 'keyboard');
    await accessible(page);
  },
  'a protocol by keyboard alone': async page => {
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
