// The text: mistakes in it, edits, and what is asked of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, check, expect, give, onDisk, open, picture, press, root, text, verdict } from '../kit.mjs';

give('wrong.pml', 'byte x;\nactive proctype P() {\n  y = 1;\n  x = 2\n}\n');
give('changes.pml', 'byte x;\nactive proctype P() {\n  x = 1\n}\n');
give('fails.pml', 'byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 2)\n}\n');
give('endless.pml', 'int a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: assert(a != -1 || b != -2 || c != -3 || d != -4) od }\n');

export default {
  'a long search is stopped': async page => {
    await open(page, 'endless.pml');
    await press(page, 'Check');
    await page.waitForFunction(() => /states/.test(document.querySelector('.searching dl')?.textContent ?? ''));
    await press(page, 'Stop');
    await verdict(page, 'UNKNOWN');
    expect((await text(page, '.verdict')).includes('interrupt'), 'it is said that it was stopped');
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
    await page.waitForFunction(() => document.querySelector('weave-source h2')?.textContent?.includes('not saved'));
    await verdict(page, 'HOLDS');
    expect(onDisk('fails.pml').includes('x == 2'), 'nothing is saved by itself');
    await editor.press('Control+s');
    await page.locator('weave-source h2', { hasText: 'not saved' }).waitFor({ state: 'detached' });
    expect(onDisk('fails.pml').includes('x == 1'), 'it is saved');
    await picture(page, 'holds');
    await accessible(page);
  },
  'a file that changes on disk is read again': async page => {
    await open(page, 'changes.pml');
    writeFileSync(join(root, 'changes.pml'), 'byte x;\nactive proctype P() {\n  x = 2\n}\n');
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('x = 2'));
  },
};
