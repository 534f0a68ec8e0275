// The states around one.

import { corpus, expect, open, picture } from '../kit.mjs';

corpus('promela/lost_wakeup.pml');

export default {
  'the states around one, and to one of them': async page => {
    await open(page, 'lost_wakeup.pml');
    await page.getByRole('link', { name: 'Simulate' }).click();
    await page.locator('.alt').first().waitFor();
    await page.getByRole('link', { name: 'State graph' }).click();
    await page.locator('.state').nth(5).waitFor();
    expect(await page.locator('.state.here').count() === 1, 'one is where the run stands');
    await picture(page, 'graph');
    await page.locator('.state').last().click();
    await page.waitForFunction(() => /step=[2-9]/.test(location.hash));
  },
};
