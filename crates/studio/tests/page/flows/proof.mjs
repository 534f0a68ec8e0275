// Proofs: conditions, countermodels of those that fail, other means to prove the same.

import { accessible, ask, corpus, expect, give, open, picture, press, text, verdict } from '../kit.mjs';

corpus('spl/counter_race.spl', 'spl/bakery2.spl');
// `small` is true and not inductive; `known` is, and makes it so.
give('climb.spl', `local x : [0..9] where x = 0
local y : [0..9] where y = 0
P::[loop forever do [ l0: (x, y) := (1 - x, x) ]]
PROPERTY small : [](y <= 1)
PROOF small : B-INV using nothing
`);

export default {
  'a condition that fails shows its countermodel': async page => {
    await open(page, 'climb.spl');
    await press(page, 'Prove');
    await verdict(page, 'UNKNOWN');
    await page.getByRole('link', { name: 'Proof' }).click();
    await page.locator('.cond.failed').first().waitFor();
    expect((await text(page, 'weave-proof .condition')).includes('A step that breaks it'), 'the first that fails is shown');
    expect(await page.locator('weave-proof .cm-state').count() === 2, 'two states');
    expect(await page.locator('weave-proof .cm-state .hot').count() > 0, 'what changes is marked');
    expect((await text(page, 'weave-proof .fails')).includes('y <= 1'), 'it is said what is false then');
    await picture(page, 'countermodel');
    await accessible(page);
    await page.locator('.cond.proved').first().click();
    expect((await text(page, 'weave-proof .condition h3')).startsWith('proved'), 'another condition is shown');
  },
  'asked again with a lemma, and with another rule': async page => {
    await ask(page, 'climb.spl', 'Prove', 'UNKNOWN');
    await page.getByRole('link', { name: 'Proof' }).click();
    await page.getByLabel('Ask again').getByLabel('property', { exact: true }).selectOption('small');
    await page.getByText('A rule, and lemmas').click();
    await press(page, 'Add a lemma');
    await page.getByLabel('lemma 1').fill('[](x <= 1)');
    await page.getByLabel('rule', { exact: true }).selectOption('B-INV');
    await press(page, 'rules only');
    await page.getByLabel('using').fill('lemma_1');
    await page.getByLabel('using').press('Enter');
    await verdict(page, 'HOLDS');
    expect((await text(page, '.added')).includes('using lemma_1'), 'the lines that were added are shown');
    await picture(page, 'lemma');
    await press(page, 'Keep in the text');
    await page.getByRole('link', { name: 'Source' }).click();
    expect((await page.getByLabel('Source', { exact: true }).inputValue()).includes('PROPERTY lemma_1 : [](x <= 1)'), 'they are in the text');
  },
  'invariants that were found, and engines': async page => {
    await open(page, 'bakery2.spl');
    await page.getByRole('link', { name: 'Proof' }).click();
    await page.getByText('Engines').click();
    await press(page, 'pdr');
    await press(page, 'invariants');
    await press(page, 'Prove');
    await page.locator('.invariants li').first().waitFor();
    const asked = page.locator('weave-proof .condition pre').first(), before = await asked.innerText();
    await press(page, 'simplified');
    expect(await asked.innerText() !== before, 'the condition is simplified');
    await picture(page, 'invariants');
  },
};
