// @ts-check
/** A new diagram for a property: empty, or derived by `weave prove --diagram`. */

import * as ask from './ask.js';
import { KINDS, fits, shows } from './diagram-parts.js';
import { button, h } from './dom.js';
import { question } from './store.js';

/** Ways to begin. @type {['empty' | 'first' | 'auto', string, string][]} */
const WAYS = [
  ['empty', 'Empty', 'You draw it.'],
  ['first', 'From the formula', 'Nodes from its tableau; what fails says what is missing.'],
  ['auto', 'From an abstraction', 'A diagram that proves it, if one is found.'],
];

/** The text of an empty diagram. @param {string} name @param {string} kind @param {string} property */
const empty = (name, kind, property) => `DIAGRAM ${name} : ${kind} proves ${property} {\n}\n`;

/** @param {string} property @param {string[]} taken */
function free(property, taken) {
  const all = [`${property}_diagram`, ...Array.from({ length: taken.length + 1 }, (_, k) => `${property}_diagram${k + 2}`)];
  return all.find(name => !taken.includes(name)) ?? `${property}_diagram`;
}

/** Derives a diagram. @param {string} property @param {'first' | 'auto'} derive @param {AbortSignal} signal @returns {Promise<{name: string, text: string}>} */
async function derived(property, derive, signal) {
  const asking = await question({ command: 'prove', property: [property], proof: { derive } }), said = asking ? await ask.all(asking, signal) : [];
  const result = said.find(line => line.event === 'result'), found = result?.derived?.[0], name = /DIAGRAM\s+(\w+)/.exec(found?.text ?? '')?.[1];
  if (!found?.text || !name) throw new Error(found?.reason ?? said.find(line => line.event === 'diagnostic')?.message ?? result?.reason ?? 'no diagram was derived');
  return { name, text: found.text };
}

/** Asks which diagram is wanted. @param {{name: string, formula: string}[]} properties @param {string[]} taken @returns {Promise<{name: string, text: string} | null>} */
export const askForNew = (properties, taken) => new Promise(resolve => {
  const stop = new AbortController(), why = h('p', { class: 'bad', role: 'alert' });
  const property = /** @type {HTMLSelectElement} */ (h('select', {}, ...properties.map(one => h('option', { value: one.name }, `${one.name}: ${one.formula}`))));
  const kind = /** @type {HTMLSelectElement} */ (h('select', {}, ...KINDS.map(one => h('option', { value: one }, `${one}: ${shows(one)}`))));
  const fit = () => { kind.value = fits(properties.find(one => one.name === property.value)?.formula ?? ''); };
  property.addEventListener('change', fit);
  fit();
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { 'aria-labelledby': 'new-diagram', class: 'wide-dialog' }));
  const close = (/** @type {{name: string, text: string} | null} */ made) => { stop.abort(); dialog.close(); dialog.remove(); resolve(made); };
  const begin = async (/** @type {'empty' | 'first' | 'auto'} */ way) => {
    const name = free(property.value, taken);
    if (way === 'empty') { close({ name, text: empty(name, kind.value, property.value) }); return; }
    why.textContent = 'Looking for one …';
    for (const other of dialog.querySelectorAll('button.way')) /** @type {HTMLButtonElement} */ (other).disabled = true;
    try { close(await derived(property.value, way, stop.signal)); } catch (error) {
      why.textContent = error instanceof Error ? error.message : String(error);
      for (const other of dialog.querySelectorAll('button.way')) /** @type {HTMLButtonElement} */ (other).disabled = false;
    }
  };
  dialog.append(h('h2', { id: 'new-diagram' }, 'New diagram'), ...properties.length ? [
    h('label', { class: 'field' }, h('span', {}, 'for the property'), property), h('label', { class: 'field' }, h('span', {}, 'kind, of an empty one'), kind),
    h('div', { class: 'ways' }, ...WAYS.map(([way, title, words]) => h('button', { type: 'button', class: 'way', onclick: () => begin(way) }, h('b', {}, title), h('small', {}, words))))]
    : [h('p', {}, 'The text states no property that could be proved. Write one first: PROPERTY name : formula.')],
  why, h('div', { class: 'asks' }, button('Cancel', () => close(null))));
  dialog.addEventListener('cancel', () => close(null));
  dialog.addEventListener('keydown', event => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
});
