// Proofs: conditions, and countermodels of those that fail.

import { corpus, open, picture, press } from '../kit.mjs';

corpus('spl/counter_race.spl');

export default {
  'a condition that fails shows its countermodel': async page => {
    await open(page, 'counter_race.spl');
    await press(page, 'Prove');
    await page.locator('.verdict').waitFor();
    await page.locator('.property').first().waitFor();
    await picture(page, 'proof');
  },
};
