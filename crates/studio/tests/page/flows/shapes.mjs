// Java and three-valued logic: objects step by step, concrete and abstract.

import { accessible, at, becomes, check, corpus, expect, forBook, give, looked, open, picture, press, saved, text } from '../kit.mjs';

corpus('shapes/LockOrder.java');
give('list.tvm', `// A list that grows at its head, for ever: without a bound on its cells, only abstract states repeat.
predicate cell(x)
predicate head(x) unique
predicate next(x, y) function
predicate ready(t)

action push {
  new n
  cell(x) := cell(x) | x == n
  next(a, b) := next(a, b) | a == n & head(b)
  head(x) := x == n
}

thread main when ready {
  l0: push -> l0
}

initial {
  node m: ready, at[l0]
  node first: cell, head
}

ltl emptied { F "!(exists x. head(x))" }
`);

export default {
  'the objects of a Java program, step by step': async page => {
    await page.getByLabel('Filter the files').fill('LockOrder');
    await press(page, 'Check these');
    await page.locator('.below', { hasText: 'as expected' }).waitFor();
    await open(page, 'LockOrder.java');
    await page.getByRole('button', { name: 'See the run' }).click();
    await page.locator('.objects .object').first().waitFor();
    await looked(page);
    expect(await page.locator('.objects .object.thread').count() >= 1, 'threads are there');
    await page.locator('.objects .changed').first().waitFor();
    const words = (await page.locator('.objects text').allTextContents()).join('\n');
    expect(words.includes('locked by') && words.includes('LockOrder.a') && !/^new$|\[at|is\[|:\w+\d$|held_by|LockOrder\.main$/m.test(words), `the words are those of the program: ${words}`);
    await picture(page, 'objects');
    await forBook(page, 'objects');
    const last = await at(page), places = () => page.locator('.objects .object').evaluateAll(all => all.map(one => one.getAttribute('transform')));
    const before = await places();
    await page.keyboard.press('ArrowLeft');
    await becomes(page, last - 1);
    await page.waitForFunction(last => document.querySelector('.objects')?.getAttribute('aria-label')?.includes(`after step ${last - 1}`), last);
    const after = await places();
    expect(after.every((place, k) => place === before[k]), 'every object keeps its place');
    expect((await saved(page, 'weave-heap .save')).includes('locked by'), 'the picture is saved');
    await accessible(page);
  },
  'an abstract run: summary nodes doubled, what may hold or not dashed': async page => {
    await check(page, 'list.tvm', 'UNKNOWN');
    await press(page, 'See the abstract run that may violate it');
    await page.locator('.objects .object').first().waitFor();
    expect(await page.locator('.objects .object').count() === 2 && await page.locator('.objects .outer').count() === 0, 'one cell at first');
    await page.keyboard.press('End');
    await page.locator('.objects .outer').waitFor();
    expect(await page.locator('.objects .outer').count() === 1, 'the cells behind the head are one node, doubled');
    expect(await page.locator('.objects .edge.half').count() === 2, 'which of them is next is not known: dashed');
    expect(/dasharray|[45]px/.test(await page.locator('.objects .edge.half path').first().evaluate(path => getComputedStyle(path).strokeDasharray)), 'dashed to the eye');
    expect((await text(page, '.legend')).includes('double: stands for one or more') && (await text(page, '.legend')).includes('dashed: may hold or not'), 'the signs are explained');
    expect((await text(page, 'weave-state')).includes('Nothing has executed this run'), 'it is said that nothing executes it');
    await picture(page, 'abstract');
    await forBook(page, 'abstract');
    await accessible(page);
  },
};
