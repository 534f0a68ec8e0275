// What people do with the page, done in a browser: `node flows.mjs WEAVE PICTURES`. The flows are in `flows`, a file for each topic, whose
// default export has each flow by its name. Each begins on a page of its own; it fails also if the page says something on the console,
// breaks its own security policy, or asks anyone else for anything. `ONLY=words` plays those flows alone whose names have these words;
// `PAGE=folder` takes the page from there, so that the binary need not be built anew to try it.

import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { picture, root, temporary, weave } from './kit.mjs';

/** A folder with the page as it is being written: it is served instead of the one in the binary. */
const draft = process.env.PAGE;
/** How long something may take to come true; a busy machine is slow. */
const PATIENCE = Number(process.env.PATIENCE) || 120000;
/** A browser for tests: alone, without the network and without what a person would need. */
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const folder = join(dirname(fileURLToPath(import.meta.url)), 'flows');
const topics = await Promise.all(readdirSync(folder).sort().map(name => import(join(folder, name))));
const only = process.env.ONLY;
const flows = topics.flatMap(topic => Object.entries(topic.default)).filter(([name]) => !only || name.includes(only));

const server = spawn(weave, ['studio', '--no-open', root], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve, reject) => {
  let said = '';
  server.stdout.on('data', data => { said += data; const found = said.match(/http:\S+/); if (found) resolve(found[0]); });
  server.on('exit', code => reject(new Error(`weave studio ended with ${code}`)));
});
const origin = new URL(address).origin;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: QUIET });

/** Plays a flow; why it fails, or nothing. */
async function play(flow, context) {
  const page = await context.newPage(), said = [], origins = [origin];
  page.setDefaultTimeout(PATIENCE);
  page.on('console', message => { if (['error', 'warning'].includes(message.type()) && !/status of 40[34]/.test(message.text())) said.push(message.text()); });
  page.on('pageerror', error => said.push(String(error)));
  page.on('request', request => { if (!origins.includes(new URL(request.url()).origin)) said.push(`asks ${request.url()}`); });
  if (draft) await page.route(/\/[a-z-]+\.(js|css)$/, route => route.fulfill({ path: join(draft, new URL(route.request().url()).pathname) }));
  try {
    await page.goto(address);
    await flow(page, other => origins.push(other));
    return said.join('; ');
  } catch (error) {
    await picture(page, 'failed').catch(() => undefined);
    return `${error.message}${said.length ? ` (${said.join('; ')})` : ''}`;
  }
}

let failed = 0;
for (const [name, flow] of flows) {
  const begun = Date.now(), context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const why = await play(flow, context);
  console.log(`${why ? 'FAILED' : 'ok'}  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)${why ? `\n   ${why}` : ''}`);
  if (why) failed++;
  await context.close();
}
await browser.close();
server.kill('SIGINT');
rmSync(temporary, { recursive: true, force: true });
console.log(`test result: ${flows.length - failed} passed; ${failed} failed`);
process.exit(failed ? 1 : 0);
