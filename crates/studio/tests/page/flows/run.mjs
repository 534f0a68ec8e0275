// A run: how one steps through it, forks it, makes one, and what its end says.

import { accessible, allow, ask, at, becomes, check, corpus, expect, forBook, give, looked, open, picture, press, saved, seeRun, text, verdict } from '../kit.mjs';

corpus('promela/needham_schroeder.pml', 'promela/two_lock_deadlock.pml', 'promela/philosophers_deadlock.pml', 'promela/lost_wakeup.pml',
  'programs/philosophers_mutex.c', 'programs/race_counter.c', 'spl/bakery2.spl', 'diagrams/bakery2.diagram');
give('lasso.pml', 'bool p;\nactive proctype P() {\n  do\n  :: p = true; p = false\n  od\n}\nltl forever { <> [] p }\n');
/** A run of more than 10,000 steps, with messages and 200 variables that change. */
give('long.pml', `byte v[200];
chan c = [0] of { int };
active proctype Sender() {
  int sent;
  do
  :: sent < 2100 -> c!sent; sent++
  :: else -> break
  od
}
active proctype Keeper() {
  int got;
  do
  :: c?got -> v[got % 200] = v[got % 200] + 1; assert(got < 2099)
  od
}
`);

/** What so many presses of a key cost: the time of each until the frame after it, and what is changed of the page. */
const steps = (page, key, count) => page.evaluate(async ([key, count]) => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done))), times = [], changed = [];
  const size = node => 1 + (node.querySelectorAll ? node.querySelectorAll('*').length : 0);
  let touched = 0;
  const sum = records => { for (const one of records) touched += one.type === 'childList' ? [...one.addedNodes].reduce((all, node) => all + size(node), 0) : 1; };
  const seen = new MutationObserver(sum);
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let k = 0; k < count; k++) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await frame();
    times.push(performance.now() - begun);
    sum(seen.takeRecords());
    changed.push(touched);
    touched = 0;
  }
  const sorted = list => [...list].sort((a, b) => a - b);
  return { times: sorted(times), changed: sorted(changed) };
}, [key, count]);
const middle = list => list[list.length >> 1], last = list => list[list.length - 1];

export default {
  'a violated model: verdict first, then the run': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    expect((await text(page, '.verdict')).startsWith('VIOLATED'), 'the verdict comes first');
    await picture(page, 'answer');
    await accessible(page);
    await seeRun(page);
    expect((await text(page, 'weave-chart h2')).includes('group'), 'steps are folded into groups');
    expect(await page.locator('weave-source .ln.wrong').count() === 1, 'the line that fails is marked');
    expect((await text(page, '.why')).includes('assert'), 'it is said why');
    expect(await page.locator('.valued .has').count() >= 3, 'the parts that fail have their values');
    expect((await text(page, '.valued')).includes('= eve'), 'the values have the words of the model');
    expect((await saved(page, 'weave-chart .save')).includes('Alice'), 'the chart is saved as a picture');
    expect((await saved(page, 'weave-wave .save')).includes('alice_calls'), 'the waves are saved as a picture');
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
    await page.locator('.alt.took').waitFor();
    expect(await page.locator('.alt.took').count() === 1 && (await text(page, '.alt.took')).includes('this run'), 'the way of this run is marked');
    await page.locator('.ln.now').first().waitFor();
    await page.locator('.var.hot').first().waitFor();
    await picture(page, 'run-dark');
    await forBook(page, 'run');
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
    await page.locator('weave-chart h2', { hasText: '23 steps' }).waitFor(); // The first run is kept.
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
    await page.locator('.wave .formula').nth(2).waitFor();
    expect(await page.locator('.wave .formula').count() === 3, 'the formula and its parts stand above the variables');
    expect(/<> ?\[\] ?p/.test(await page.locator('weave-wave svg.wave').textContent()), 'the formula is named');
    await picture(page, 'lasso');
    await accessible(page);
  },
  'a deadlock: the circle of those who wait': async page => {
    await check(page, 'two_lock_deadlock.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.round').waitFor();
    expect(await page.locator('.round .actor').count() === 2, 'two wait for each other');
    expect(await page.locator('.waits').count() === 2, 'each says what it waits for');
    expect((await text(page, '.waits')).includes('last changed by'), 'and who has that');
    expect((await saved(page, '.grp .save')).includes('<svg'), 'the circle is saved as a picture');
    await picture(page, 'deadlock');
    await forBook(page, 'deadlock');
    await accessible(page);
  },
  'five philosophers wait in a circle': async page => {
    await check(page, 'philosophers_deadlock.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.round').waitFor();
    expect(await page.locator('.round .actor').count() >= 3, 'all of them are in the circle');
    await picture(page, 'philosophers');
  },
  'threads of a program hold what others wait for': async page => {
    await open(page, 'philosophers_mutex.c');
    await press(page, 'Run');
    await press(page, 'Cancel');
    expect(await page.locator('.verdict').count() === 0, 'nothing was executed');
    await press(page, 'Run');
    await picture(page, 'allow');
    await press(page, 'Execute it');
    await verdict(page, 'VIOLATED');
    await seeRun(page);
    await page.locator('.round').waitFor();
    expect((await page.locator('.waits').allInnerTexts()).some(said => said.includes('held by')), 'it is known who holds a mutex');
    await picture(page, 'program');
    await accessible(page);
  },
  'both sides of a race': async page => {
    await open(page, 'race_counter.c');
    await press(page, 'Run');
    await allow(page);
    await verdict(page, 'VIOLATED');
    await seeRun(page);
    await page.locator('.side').nth(1).waitFor();
    expect((await page.locator('.side').allInnerTexts()).every(side => side.includes('race_counter.c:')), 'both have their place');
    await picture(page, 'race');
    await accessible(page);
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
  'every view, dark and light, 1024 points wide': async page => {
    const view = async (name, ready) => { await page.getByRole('link', { name }).click(); await page.locator(ready).first().waitFor(); };
    const both = async name => {
      for (const look of ['dark', 'light']) {
        await picture(page, `${name}-${look}`);
        await accessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= 1024), `${name}: nothing is cut off`);
        await press(page, 'Light or dark');
      }
    };
    await page.setViewportSize({ width: 1024, height: 720 });
    await page.locator('.file').first().waitFor();
    await both('view-files');
    await check(page, 'lost_wakeup.pml', 'VIOLATED');
    await both('view-source');
    await seeRun(page);
    await both('view-run');
    await press(page, 'List');
    await page.locator('.listed').first().waitFor();
    await both('view-list');
    await page.keyboard.press('Home');
    await view(/^State graph/, '.state');
    await both('view-graph');
    await view(/^Overview/, '.file');
    await check(page, 'lasso.pml', 'VIOLATED');
    await seeRun(page);
    await view(/^Automata/, '.automaton .state');
    await both('view-automaton');
    await view(/^Overview/, '.file');
    await ask(page, 'bakery2.spl', 'Prove', 'VIOLATED');
    await view(/^Proof/, '.cond');
    await both('view-proof');
    await view(/^Overview/, '.file');
    await open(page, 'bakery2.diagram');
    await view(/^Diagrams/, '.node.proved');
    await both('view-diagram');
  },
  'a run of 10,000 steps is fluid': async page => {
    await check(page, 'long.pml', 'VIOLATED');
    await seeRun(page);
    const all = Number((await text(page, 'weave-wave .at')).split('of')[1]);
    expect(all >= 10000, `only ${all} steps`);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const metrics = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
    console.log(`   ${all} steps, ${await page.locator('weave-wave .counts').innerText()}`);
    for (const [as, key, count] of [['Chart', 'ArrowLeft', 40], ['List', 'ArrowLeft', 40], ['List', 'Home', 1], ['List', 'ArrowRight', 40], ['Chart', 'ArrowRight', 40]]) {
      await press(page, as);
      const before = await metrics(), { times, changed } = await steps(page, key, count), after = await metrics();
      const [cpu, layouts] = [(after.TaskDuration - before.TaskDuration) * 1000 / count, (after.LayoutCount - before.LayoutCount) / count], elements = await page.evaluate(() => document.querySelectorAll('*').length);
      console.log(`   ${as}, ${key}: median ${middle(times).toFixed(0)} ms, worst ${last(times).toFixed(0)} ms, ${cpu.toFixed(1)} ms of processor, ${layouts.toFixed(1)} layouts, ${middle(changed)} changes (most ${last(changed)}), ${elements} elements`);
      expect(elements < 4000, `${elements} elements: more is drawn than can be seen`);
      if (count === 1) continue;
      expect(layouts <= 2, `${layouts} layouts for a step: something asks for sizes while it draws`);
      expect(middle(changed) <= 60, `${middle(changed)} changes for a step`);
      expect(last(changed) <= 2500, `${last(changed)} changes for a step that scrolls`);
    }
  },
};
