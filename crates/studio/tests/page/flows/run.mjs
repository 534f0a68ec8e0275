// A run: how one steps through it, forks it, makes one, and what its end says.

import { accessible, at, becomes, check, corpus, expect, give, looked, open, picture, press, seeRun, text, verdict } from '../kit.mjs';

corpus('promela/needham_schroeder.pml', 'promela/two_lock_deadlock.pml', 'promela/lost_wakeup.pml', 'programs/philosophers_sysv.c');
give('lasso.pml', 'bool p;\nactive proctype P() {\n  do\n  :: p = true\n  :: p = false\n  od\n}\nltl forever { <> [] p }\n');
give('long.pml', `byte v[100];\nint n;\nactive proctype P() {\n  do\n  :: n < 3400 -> v[n % 100] = v[n % 100] + 1; n++\n  :: n == 3400 -> assert(false)\n  od\n}\n`);

export default {
  'a violated model: verdict first, then the run': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    expect((await text(page, '.verdict')).startsWith('VIOLATED'), 'the verdict comes first');
    await picture(page, 'answer');
    await accessible(page);
    await seeRun(page);
    expect((await text(page, 'weave-chart h2')).includes('group'), 'steps are folded into groups');
    expect(await page.locator('weave-source .ln.wrong').count() === 1, 'the line that fails is marked');
    expect((await text(page, 'weave-state')).includes('assert'), 'it is said why');
  },
  'to the end and back, by mouse and by keyboard': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    await seeRun(page);
    const last = await at(page);
    await page.keyboard.press('Home');
    await becomes(page, 0);
    for (let k = 0; k < 11; k++) await page.keyboard.press('ArrowRight');
    await becomes(page, 11);
    await page.locator('.alt').nth(1).waitFor();
    await page.locator('.ln.now').first().waitFor();
    await page.locator('.var.hot').first().waitFor();
    await picture(page, 'run-dark');
    await page.keyboard.press('ArrowLeft');
    await becomes(page, 10);
    await page.keyboard.press('End');
    await becomes(page, last);
    await page.locator('weave-chart .row').first().click();
    await becomes(page, 2);
    await press(page, 'List');
    await page.locator('.listed').first().waitFor();
    expect(await page.locator('.listed').count() === last, 'a line for each step');
    await picture(page, 'list');
  },
  'another step is taken, and the way to another end followed': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    await seeRun(page);
    await page.keyboard.press('Home');
    await page.locator('.alt:not(.took)').first().click();
    await page.locator('.fork-tab').nth(1).waitFor();
    await becomes(page, 1);
    await press(page, 'Random steps');
    await page.waitForFunction(() => Number(document.querySelector('weave-wave .at b')?.textContent) > 1);
    await picture(page, 'fork');
    await page.locator('.fork-tab').first().click();
    expect((await text(page, 'weave-chart h2')).includes('23 steps'), 'the first run is kept');
  },
  'simulated from the start, and reached again by its address': async page => {
    await open(page, 'lost_wakeup.pml');
    await page.getByRole('link', { name: 'Simulate' }).click();
    await page.locator('.alt').first().click();
    await becomes(page, 1);
    await page.locator('.alt').last().click();
    await becomes(page, 2);
    await page.waitForFunction(() => /run=\d+\.\d+&/.test(location.hash));
    const shown = await text(page, 'weave-state');
    await page.reload();
    await becomes(page, 2);
    await page.locator('.alt').first().waitFor();
    expect(await text(page, 'weave-state') === shown, 'the same state after a reload');
  },
  'a lasso: the loop is marked': async page => {
    await check(page, 'lasso.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.loop').first().waitFor();
    expect((await text(page, '.ending')).includes('without end'), 'it goes on for ever');
    await picture(page, 'lasso');
  },
  'a deadlock: who waits for what': async page => {
    await check(page, 'two_lock_deadlock.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.waits').first().waitFor();
    expect(await page.locator('.waits').count() === 2, 'two wait');
    await picture(page, 'deadlock');
  },
  'a program is executed only after it is allowed': async page => {
    await open(page, 'philosophers_sysv.c');
    await press(page, 'Run');
    await press(page, 'Cancel');
    expect(await page.locator('.verdict').count() === 0, 'nothing was executed');
    await press(page, 'Run');
    await picture(page, 'allow');
    await press(page, 'Execute it');
    await verdict(page, 'VIOLATED');
    await seeRun(page);
    await looked(page);
    await picture(page, 'program');
  },
  'light, and 1024 points wide': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    await seeRun(page);
    for (let k = 0; k < 12; k++) await page.keyboard.press('ArrowLeft');
    await page.locator('.alt').first().waitFor();
    await press(page, 'Light or dark');
    await picture(page, 'run-light');
    await accessible(page);
    await page.setViewportSize({ width: 1024, height: 720 });
    await picture(page, 'narrow');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= 1024), 'nothing is cut off');
    await press(page, 'Light or dark');
    await accessible(page);
  },
  'a run of 10,000 steps is fluid': async page => {
    await check(page, 'long.pml', 'VIOLATED');
    await seeRun(page);
    const { steps, most } = await page.evaluate(async () => {
      const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      let most = 0;
      for (let k = 0; k < 40; k++) {
        const begun = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: k === 20 ? 'Home' : k < 20 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
        await frame();
        most = Math.max(most, performance.now() - begun);
      }
      return { most, steps: Number(document.querySelector('weave-wave .at')?.textContent?.split('of')[1]) };
    });
    console.log(`   ${steps} steps, at most ${most.toFixed(0)} ms for a step`);
    expect(steps >= 10000, `only ${steps} steps`);
  },
};
