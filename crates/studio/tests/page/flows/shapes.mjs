// Java: objects step by step, concrete and abstract.

import { accessible, at, becomes, corpus, expect, forBook, looked, open, picture, press, saved } from '../kit.mjs';

corpus('shapes/LockOrder.java');

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
};
