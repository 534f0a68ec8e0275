// The states around one; all states of a small model, and those of a reduced search.

import { accessible, corpus, expect, give, open, picture, press, text } from '../kit.mjs';

corpus('promela/lost_wakeup.pml');
give('wide.pml', 'byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ od }\n');
give('commute.pml', `byte x, y, z;
active proctype A() { x = 1; x = 2 }
active proctype B() { y = 1; z = 1 }
active proctype C() { z == 1; z = 2 }
`);

const graph = async (page, file) => {
  await open(page, file);
  await page.getByRole('link', { name: 'Simulate' }).click();
  await page.locator('.alt').first().waitFor();
  await page.getByRole('link', { name: 'State graph' }).click();
  await page.locator('.state').nth(5).waitFor();
};

export default {
  'the states around one, and to one of them': async page => {
    await graph(page, 'lost_wakeup.pml');
    expect(await page.locator('.state.here').count() === 1, 'one is where the run stands');
    await picture(page, 'graph');
    await page.locator('.state').last().click();
    await page.waitForFunction(() => /step=[2-9]/.test(location.hash));
  },
  'a graph of many millions of states grows where one clicks': async page => {
    const begun = Date.now();
    await graph(page, 'wide.pml');
    console.log(`   4,294,967,296 states, the ones around the first drawn after ${Date.now() - begun} ms`);
    const before = await page.locator('.state').count();
    await page.locator('.grow-here').first().click();
    await page.waitForFunction(count => document.querySelectorAll('weave-graph .state').length > count, before);
    const then = await page.locator('.state').count();
    await page.locator('.state.folded').last().focus();
    await page.keyboard.press('+');
    await page.waitForFunction(count => document.querySelectorAll('weave-graph .state').length > count, then);
    await press(page, 'More states');
    await page.waitForFunction(() => document.querySelectorAll('weave-graph .state').length >= 90);
    await picture(page, 'graph-grown');
  },
  'the reduced graph beside the full one, with what is left out and why': async page => {
    await graph(page, 'commute.pml');
    await press(page, 'Reduced beside full');
    await page.locator('.twice .state').first().waitFor();
    const [all, part] = await Promise.all([0, 1].map(k => page.locator('.twice section').nth(k).locator('.state').count()));
    expect(part < all, `the reduction leaves out states: ${part} of ${all}`);
    expect(await page.locator('.twice section').first().locator('.edge.out').count() > 0, 'what is left out is dashed');
    await page.locator('.twice .state').first().click();
    expect((await text(page, '.because')).includes('left out'), 'it is said why');
    await picture(page, 'reduction');
    await accessible(page);
  },
};
