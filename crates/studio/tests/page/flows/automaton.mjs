// Automata of formulas, and where they stand along a run.

import { accessible, check, corpus, expect, give, open, picture, press, seeRun, text } from '../kit.mjs';

corpus('spl/bakery2.spl');
give('turns.pml', `bool p, q;
active proctype P() {
  do
  :: p = true; q = false
  :: p = false; q = true
  od
}
ltl answered { [] (p -> <> q) }
`);

export default {
  'an automaton along a lasso': async page => {
    await check(page, 'turns.pml', 'VIOLATED');
    await seeRun(page);
    await page.getByRole('link', { name: 'Automata' }).click();
    await page.locator('.automaton .state').nth(1).waitFor();
    expect((await text(page, '.caption')).includes('It accepts this run, so the run violates the formula'), 'the forbidden runs come first');
    const last = Number((await text(page, '.caption')).match(/After step (\d+)/)[1]);
    expect(await page.locator('.automaton .state.here').count() === 1, 'one state is where it stands');
    await page.keyboard.press('Home');
    await page.locator('.caption', { hasText: 'After step 0' }).waitFor();
    const first = await page.locator('.automaton .state.here').getAttribute('data-state');
    await picture(page, 'automaton-start');
    for (let k = 0; k < last; k++) await page.keyboard.press('ArrowRight');
    await page.locator('.caption', { hasText: `After step ${last} ` }).waitFor();
    expect(await page.locator('.automaton .state.here').getAttribute('data-state') !== first, 'it has moved');
    expect(await page.locator('.automaton .edge.taken').count() > 0, 'the edge that it takes is marked');
    expect(await page.locator('.letters .looped').count() === 1, 'the loop is marked');
    await picture(page, 'automaton');
    await accessible(page);
    await press(page, 'What is required');
    expect((await text(page, '.caption')).includes('does not accept this run'), 'the other automaton says so, too');
    await page.locator('.letters').click({ position: { x: 8, y: 30 } });
    await page.locator('.caption', { hasText: 'After step 0' }).waitFor();
  },
  'the formulas of a program, before any run': async page => {
    await open(page, 'bakery2.spl');
    await page.getByRole('link', { name: 'Automata' }).click();
    await page.locator('weave-automaton h2 select').selectOption('acc');
    await page.locator('.automaton .state').nth(1).waitFor();
    expect((await text(page, '.caption')).includes('open'), 'nothing is known of a run without steps');
    await picture(page, 'automaton-spl');
  },
};
