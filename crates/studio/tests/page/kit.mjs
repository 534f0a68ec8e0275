// What the flows share: a folder of files for the studio to show, and what people do on the page, in words. A flow's topic gives the files
// that it needs when it is loaded, before the studio starts.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The program under test. */
export const weave = process.argv[2];
/** What goes at the end, and the folder in it that the studio shows: its name is in the pictures. */
export const temporary = mkdtempSync(join(tmpdir(), 'weave-flows-'));
export const root = join(temporary, 'models');
mkdirSync(root);
/** Where pictures go. */
export const pictures = process.argv[3];
mkdirSync(join(pictures, 'book'), { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// ---- files ----

/** A file of the flow's own. */
export const give = (path, text) => { mkdirSync(dirname(join(root, path)), { recursive: true }); writeFileSync(join(root, path), text); };
/** Files of the corpus, by their paths in `models`. */
export const corpus = (...paths) => { for (const path of paths) { mkdirSync(dirname(join(root, path)), { recursive: true }); copyFileSync(join('models', path), join(root, path)); } };
/** What a file says now. */
export const onDisk = path => readFileSync(join(root, path), 'utf8');

// ---- what is expected ----

export const expect = (is, what) => { if (!is) throw new Error(what); };
/** What a part of the page says, as a person reads it. */
export const text = (page, where) => page.locator(where).first().innerText();
/** Where in the run the page stands. */
export const at = async page => Number(await page.locator('weave-wave .at b').textContent());
/** Waits until it stands after this step. */
export const becomes = (page, step) => page.waitForFunction(step => Number(document.querySelector('weave-wave .at b')?.textContent) === step, step);
/** Waits for a verdict. */
export const verdict = (page, word) => page.locator('header .pill', { hasText: word }).waitFor();
/** Waits until the ways on from here are known. */
export const looked = page => page.locator('weave-state .grp.accent', { hasNotText: 'Looking' }).waitFor();
/** No violation of WCAG A or AA: contrast, names, focus. */
export const accessible = async page => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] }));
  const said = violations.map(v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | ')}`);
  expect(!said.length, `not accessible: ${said.join('; ')}`);
};
/** Keeps a picture of the page. */
export const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

/** Keeps a picture for the book, too: small, and as wide as a page shows it. */
export const forBook = async (page, name) => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1240, height: 760 });
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(pictures, 'book', `studio_${name}.jpg`), type: 'jpeg', quality: 72 });
  await page.setViewportSize(size);
};

// ---- what people do ----

export const open = async (page, file) => {
  await page.getByLabel('Filter the files').fill(file);
  await page.locator('.file', { hasText: file.split('/').pop() }).first().click();
  await page.locator('weave-source .ln').first().waitFor();
};
/** A button by its name. */
export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
/** Opens a file and asks: `Check`, `Prove` or `Run`. */
export const ask = async (page, file, command, word) => { await open(page, file); await press(page, command); await verdict(page, word); };
export const check = (page, file, word) => ask(page, file, 'Check', word);
/** Agrees that a program is executed. */
export const allow = page => press(page, 'Execute it');
/** What a button saves, as text. */
export const saved = async (page, where) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(where).first().click()]);
  return readFileSync(await download.path(), 'utf8');
};
/** To the run of the answer. */
export const seeRun = async page => {
  await page.getByRole('button', { name: 'See the run' }).click();
  await page.locator('weave-chart .row').first().waitFor();
  await page.locator('weave-wave .axis').first().waitFor();
  await looked(page);
};
