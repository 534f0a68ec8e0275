// What people do with the page, done in a browser: `node flows.mjs WEAVE PICTURES`. Each flow begins on a page of its own; it fails also if
// the page says something on the console, breaks its own security policy, or asks anyone else for anything.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [weave, pictures] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const root = mkdtempSync(join(tmpdir(), 'weave-flows-'));
mkdirSync(pictures, { recursive: true });
const MODELS = {
  promela: ['needham_schroeder.pml', 'two_lock_deadlock.pml', 'peterson.pml', 'lost_wakeup.pml', 'alternating_bit.pml'],
  spl: ['counter_race.spl', 'bakery2.spl'],
  shapes: [],
  programs: ['philosophers_sysv.c'],
};
for (const [folder, names] of Object.entries(MODELS)) {
  mkdirSync(join(root, folder));
  const there = new Set(readdirSync(join('models', folder)));
  for (const name of names.filter(name => there.has(name))) copyFileSync(join('models', folder, name), join(root, folder, name));
}
writeFileSync(join(root, 'wrong.pml'), 'byte x;\nactive proctype P() {\n  y = 1;\n  x = 2\n}\n');
writeFileSync(join(root, 'fails.pml'), 'byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 2)\n}\n');
writeFileSync(join(root, 'lasso.pml'), 'bool p;\nactive proctype P() {\n  do\n  :: p = true\n  :: p = false\n  od\n}\nltl forever { <> [] p }\n');
writeFileSync(join(root, 'endless.pml'), 'int a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: assert(a != -1 || b != -2 || c != -3 || d != -4) od }\n');
writeFileSync(join(root, 'invariant.spl'), readFileSync('models/spl/counter_race.spl'));
writeFileSync(join(root, 'long.pml'), `byte v[100];\nint n;\nactive proctype P() {\n  do\n  :: n < 3400 -> v[n % 100] = v[n % 100] + 1; n++\n  :: n == 3400 -> assert(false)\n  od\n}\n`);

// ---- the server and the browser ----

const server = spawn(weave, ['studio', '--no-open', root], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve, reject) => {
  let said = '';
  server.stdout.on('data', data => { said += data; const found = said.match(/http:\S+/); if (found) resolve(found[0]); });
  server.on('exit', code => reject(new Error(`weave studio ended with ${code}`)));
});
const origin = new URL(address).origin;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

const at = async page => Number(await page.locator('weave-wave .at b').textContent());
const becomes = (page, step) => page.waitForFunction(step => Number(document.querySelector('weave-wave .at b')?.textContent) === step, step, { timeout: 10000 });
const verdict = (page, word) => page.locator('header .pill', { hasText: word }).waitFor({ timeout: 120000 });
const open = async (page, file) => { await page.getByLabel('Filter the files').fill(file); await page.locator('.file', { hasText: file.split('/').pop() }).first().click(); await page.locator('weave-source .ln').first().waitFor(); };
const check = async (page, file, word) => { await open(page, file); await page.getByRole('button', { name: 'Check', exact: true }).click(); await verdict(page, word); };
const seeRun = async page => { await page.getByRole('button', { name: 'See the run' }).click(); await page.locator('weave-chart .row').first().waitFor(); await page.locator('.alt, .grp.accent').first().waitFor(); };
const looked = page => page.locator('weave-state .grp.accent', { hasNotText: 'Looking' }).waitFor({ timeout: 90000 });
const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
const text = (page, where) => page.locator(where).first().innerText();
const expect = (is, what) => { if (!is) throw new Error(what); };
const accessible = async page => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] }));
  const said = violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | ')}`);
  expect(!said.length, `not accessible: ${said.join('; ')}`);
};

const flows = {
  'the overview lists files with what is expected of them': async page => {
    await page.locator('.file').first().waitFor();
    expect(await page.locator('.file').count() >= 8, 'files are missing');
    expect((await text(page, 'weave-files')).includes('violated'), 'no expectation is shown');
    await picture(page, 'overview');
    await accessible(page);
  },
  'a violated model: verdict first, then the run': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    expect((await text(page, '.verdict')).startsWith('VIOLATED'), 'the verdict comes first');
    await picture(page, 'answer');
    await accessible(page);
    await seeRun(page);
    expect((await text(page, 'weave-chart h2')).includes('group'), 'steps are folded into groups');
    expect(await page.locator('weave-source .ln.wrong').count() === 1, 'the line that fails is marked');
    expect((await text(page, 'weave-state')).includes('assert'), 'it is said why');
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
    await page.locator('.ln.now').first().waitFor();
    await page.locator('.var.hot').first().waitFor();
    await picture(page, 'run-dark');
    await page.keyboard.press('ArrowLeft');
    await becomes(page, 10);
    await page.keyboard.press('End');
    await becomes(page, last);
    await page.locator('weave-chart .row').first().click();
    await becomes(page, 2);
    await page.getByRole('button', { name: 'List' }).click();
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
    await page.getByRole('button', { name: 'Random steps' }).click();
    await page.waitForFunction(() => Number(document.querySelector('weave-wave .at b')?.textContent) > 1);
    await picture(page, 'fork');
    await page.locator('.fork-tab').first().click();
    expect((await text(page, 'weave-chart h2')).includes('23 steps'), 'the first run is kept');
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
  'a long search is stopped': async page => {
    await open(page, 'endless.pml');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.waitForFunction(() => /states/.test(document.querySelector('.searching dl')?.textContent ?? ''), null, { timeout: 20000 });
    await page.getByRole('button', { name: 'Stop' }).click();
    await verdict(page, 'UNKNOWN');
    expect((await text(page, '.verdict')).includes('interrupt'), 'it is said that it was stopped');
  },
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
  'mistakes have a line and a caret': async page => {
    await check(page, 'wrong.pml', 'REJECTED');
    expect((await text(page, '.problem')).includes('line 3'), 'the line is named');
    expect((await text(page, '.problem pre')).includes('^'), 'the place is marked');
    await page.locator('.problem').first().click();
    expect(await page.evaluate(() => document.activeElement?.tagName) === 'TEXTAREA', 'a click goes there');
    await picture(page, 'mistake');
    await accessible(page);
  },
  'edited until it holds, and saved': async page => {
    await check(page, 'fails.pml', 'VIOLATED');
    const editor = page.getByLabel('Source', { exact: true });
    await editor.fill((await editor.inputValue()).replace('x == 2', 'x == 1'));
    expect((await text(page, 'weave-source h2')).includes('not saved'), 'it is a draft');
    await verdict(page, 'HOLDS');
    expect(readFileSync(join(root, 'fails.pml'), 'utf8').includes('x == 2'), 'nothing is saved by itself');
    await editor.press('Control+s');
    await page.locator('weave-source h2', { hasText: 'not saved' }).waitFor({ state: 'detached' });
    expect(readFileSync(join(root, 'fails.pml'), 'utf8').includes('x == 1'), 'it is saved');
    await picture(page, 'holds');
    await accessible(page);
  },
  'a file that changes on disk is read again': async page => {
    await open(page, 'wrong.pml');
    writeFileSync(join(root, 'wrong.pml'), 'byte x;\nactive proctype P() {\n  x = 1\n}\n');
    await page.waitForFunction(() => !document.querySelector('textarea')?.value.includes('y = 1'), null, { timeout: 10000 });
  },
  'a lasso: the loop is marked': async page => {
    await check(page, 'lasso.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.loop').first().waitFor();
    expect((await text(page, '.ending')).includes('without end'), 'it goes on for ever');
    await picture(page, 'lasso');
  },
  'a deadlock: who waits for what': async page => {
    await check(page, 'two_lock_deadlock.pml', 'VIOLATED');
    await seeRun(page);
    await page.locator('.waits').first().waitFor();
    expect(await page.locator('.waits').count() === 2, 'two wait');
    await picture(page, 'deadlock');
  },
  'a program is executed only after it is allowed': async page => {
    await open(page, 'philosophers_sysv.c');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.verdict').count() === 0, 'nothing was executed');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await picture(page, 'allow');
    await page.getByRole('button', { name: 'Execute it' }).click();
    await verdict(page, 'VIOLATED');
    await seeRun(page);
    await looked(page);
    await picture(page, 'program');
  },
  'a condition that fails shows its countermodel': async page => {
    await open(page, 'invariant.spl');
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.verdict').waitFor({ timeout: 60000 });
    await page.locator('.property').first().waitFor();
    await picture(page, 'proof');
  },
  'light, and 1024 points wide': async page => {
    await check(page, 'needham_schroeder.pml', 'VIOLATED');
    await seeRun(page);
    for (let k = 0; k < 12; k++) await page.keyboard.press('ArrowLeft');
    await page.locator('.alt').first().waitFor();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await picture(page, 'run-light');
    await accessible(page);
    await page.setViewportSize({ width: 1024, height: 720 });
    await picture(page, 'narrow');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= 1024), 'nothing is cut off');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await accessible(page);
  },
  'by keyboard alone': async page => {
    await page.locator('.file').first().waitFor();
    await page.getByLabel('Filter the files').focus();
    await page.keyboard.type('needham');
    await page.keyboard.press('Enter');
    await page.locator('weave-source .ln').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await verdict(page, 'VIOLATED');
    const see = page.getByRole('button', { name: 'See the run' });
    for (let k = 0; k < 60 && !await see.evaluate(e => e === document.activeElement); k++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('weave-chart .row').first().waitFor();
    await page.keyboard.press('Home');
    await page.locator('.alt').first().waitFor();
    await page.keyboard.press('f');
    await page.locator('.fork-tab').nth(1).waitFor();
  },
  'a run of 10,000 steps is fluid': async page => {
    await check(page, 'long.pml', 'VIOLATED');
    await seeRun(page);
    const { steps, most } = await page.evaluate(async () => {
      const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      let most = 0;
      for (let k = 0; k < 40; k++) {
        const begun = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: k === 20 ? 'Home' : k < 20 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
        await frame();
        most = Math.max(most, performance.now() - begun);
      }
      return { most, steps: Number(document.querySelector('weave-wave .at')?.textContent?.split('of')[1]) };
    });
    console.log(`   ${steps} steps, at most ${most.toFixed(0)} ms for a step`);
    expect(steps >= 10000, `only ${steps} steps`);
    // A bound on the time is for a quiet machine alone.
    const bound = Number(process.env.FLUID) || Infinity;
    expect(most < bound, `a step takes ${most} ms`);
  },
};

// ---- one after the other ----

let failed = 0;
const only = process.env.ONLY;
for (const [name, flow] of Object.entries(flows)) {
  if (only && !name.includes(only)) continue;
  const begun = Date.now(), context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', bypassCSP: false });
  const page = await context.newPage(), said = [];
  page.setDefaultTimeout(60000);
  page.on('console', message => { if (['error', 'warning'].includes(message.type()) && !/status of 40[34]/.test(message.text())) said.push(message.text()); });
  page.on('pageerror', error => said.push(String(error)));
  page.on('request', request => { if (new URL(request.url()).origin !== origin) said.push(`asks ${request.url()}`); });
  let why = '';
  try {
    await page.goto(address);
    await flow(page);
    if (said.length) why = said.join('; ');
  } catch (error) { why = `${error.message}${said.length ? ` (${said.join('; ')})` : ''}`; await picture(page, 'failed').catch(() => undefined); }
  console.log(`${why ? 'FAILED' : 'ok'}  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)${why ? `\n   ${why}` : ''}`);
  if (why) failed++;
  await context.close();
}
await browser.close();
server.kill('SIGINT');
rmSync(root, { recursive: true, force: true });
const count = Object.keys(flows).filter(name => !only || name.includes(only)).length;
console.log(`test result: ${count - failed} passed; ${failed} failed`);
process.exit(failed ? 1 : 0);
