// The tour, from its first stop to the last.

import { spawn } from 'node:child_process';
import { accessible, allow, expect, picture, press, text, weave } from '../kit.mjs';

/** A studio of its own, with the examples of the tour. */
async function toured(play) {
  const studio = spawn(weave, ['studio', '--tour', '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = '';
      studio.stdout.on('data', data => { said += data; const found = said.match(/http:\S+/); if (found) resolve(found[0]); });
      studio.on('exit', code => reject(new Error(`weave studio --tour ended with ${code}`)));
    });
    await play(address);
  } finally { studio.kill('SIGINT'); }
}

export default {
  'the tour, from one end to the other': async (page, elsewhere) => toured(async address => {
    elsewhere(new URL(address).origin);
    await page.goto(address);
    const stop = async number => page.locator('weave-tour .where', { hasText: new RegExp(`^${number} /`) }).waitFor();
    const next = () => press(page, 'Next');
    await stop(1);
    await page.locator('weave-source .ln').first().waitFor();
    await picture(page, 'tour');
    await accessible(page);
    await next();
    await page.locator('.verdict', { hasText: 'VIOLATED' }).waitFor();
    await next();
    await page.locator('weave-chart .row').first().waitFor();
    await picture(page, 'tour-run');
    await next(); await next();
    await page.locator('.valued').first().waitFor();
    await next();
    await page.locator('weave-source h2', { hasText: 'C' }).waitFor();
    await next();
    await allow(page);
    await page.locator('.side').nth(1).waitFor();
    await next();
    await stop(8);
    await next();
    await page.locator('.obligation').first().waitFor();
    await next(); await next();
    await page.locator('.objects .object').first().waitFor();
    await picture(page, 'tour-objects');
    await next();
    await page.locator('.file').nth(3).waitFor();
    expect(await page.locator('.file').count() === 4, 'four examples');
    await press(page, 'End of the tour');
    await page.locator('weave-tour').waitFor({ state: 'hidden' });
    expect(!(await text(page, 'header')).includes('Tour'), 'the tour is over');
  }),
};
