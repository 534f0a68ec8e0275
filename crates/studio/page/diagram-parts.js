// @ts-check
/** The fields of what is selected in a diagram: a node, an edge, a compound node, or the whole. */

import * as edit from './diagram-text.js';
import { button, h } from './dom.js';
import { set, store } from './store.js';

/** @typedef {import('./diagram-editor.js').DiagramEditor} Editor */
/** @typedef {import('./diagram-drawing.js').Sketch} Sketch */
/** @typedef {import('./diagram-text.js').Outline} Outline */
/** @typedef {(text: string, outline: Outline) => string} How */

export const KINDS = ['chain', 'rank', 'invariance', 'wait-for', 'generalized'];
const SHOWS = { chain: 'p ==> <>q, without a cycle', rank: 'p ==> <>q, by ranks that go down', invariance: '[] p', 'wait-for': 'p ==> q Awaits … Awaits r', generalized: 'any formula' };
/** The kind for a formula of this form; one of any other form needs a generalized diagram. @param {string} formula */
export function fits(formula) {
  const [always, sometime] = [/\[\]/g, /<>/g].map(sign => (formula.match(sign) ?? []).length), begins = (/** @type {string} */ sign) => formula.trim().startsWith(sign);
  if (formula.includes('Awaits')) return 'wait-for';
  if (sometime === 1 && !always && (begins('<>') || /==>\s*<>/.test(formula))) return 'chain';
  return always === 1 && !sometime && begins('[]') ? 'invariance' : 'generalized';
}
/** What each kind proves. @param {string} kind */
export const shows = kind => SHOWS[/** @type {'chain'} */ (kind)] ?? '';

/** A field; what is typed is a change of the text. @param {Editor} editor @param {string} name @param {string} value @param {(value: string) => How} how @param {Record<string, any>} [more] */
function field(editor, name, value, how, more = {}) {
  const why = h('small', { class: 'bad' }), input = /** @type {HTMLInputElement} */ (h('input', { value, spellcheck: 'false', autocomplete: 'off', ...more }));
  const commit = async () => { if (input.value !== value) why.textContent = await editor.change(how(input.value)); };
  input.addEventListener('change', commit);
  input.addEventListener('keydown', event => { if (event.key === 'Enter') input.blur(); else if (event.key === 'Escape') { input.value = value; input.blur(); } });
  return h('label', { class: 'field' }, h('span', {}, name), input, why);
}

/** @param {Editor} editor @param {string} words @param {boolean} on @param {How} how */
const tick = (editor, words, on, how) => h('label', { class: 'tick' }, h('input', { type: 'checkbox', checked: on, onchange: () => editor.change(how) }), words);

/** @param {Editor} editor @param {Sketch} diagram @param {Outline} outline @returns {import('./dom.js').Child[]} */
export function inspector(editor, diagram, outline) {
  const { selected } = editor;
  if (selected && 'node' in selected) return ofNode(editor, diagram, selected.node);
  if (selected && 'edge' in selected) return ofEdge(editor, diagram, outline, selected.edge);
  if (selected && 'frame' in selected) return ofFrame(editor, diagram, selected.frame);
  return ofAll(editor, diagram, outline);
}

/** The part of this name, as the text has it now. @param {Outline} outline @param {string} name */
const named = (outline, name) => edit.every(outline.parts).find(({ part }) => part.name?.name === name)?.part;
/** @param {string} name @param {'assertion' | 'rank' | 'label'} which @param {string} value @returns {How} */
const giving = (name, which, value) => (text, outline) => { const part = named(outline, name); return part ? edit.setField(text, part, which, value) : text; };

/** @param {Editor} editor @param {string} old @param {string} name @returns {How} */
function renaming(editor, old, name) {
  return (text, outline) => {
    const given = name.trim();
    if (!given || named(outline, given)) return text;
    const places = editor.places.get(editor.name), place = places?.get(old);
    if (places && place) places.set(given, place);
    editor.selected = editor.selected && 'frame' in editor.selected ? { frame: given } : { node: given };
    return edit.rename(text, outline, old, given);
  };
}

/** @param {Editor} editor @param {Sketch} diagram @param {string} name */
function ofNode(editor, diagram, name) {
  const node = diagram.nodes.find(one => one.name === name), about = editor.about ?? '';
  if (!node) return [];
  const { part, around } = node, generalized = diagram.kind === 'generalized', ranked = diagram.kind === 'rank' || generalized, inner = around.at(-1)?.name.name ?? '';
  const inside = h('select', { 'aria-label': 'Inside of', onchange: (/** @type {Event} */ event) => { const into = /** @type {HTMLSelectElement} */ (event.target).value; editor.change((text, now) => edit.move(text, now, named(now, name) ?? part, into || null)); } },
    h('option', { value: '', selected: !inner }, 'no compound node'), ...diagram.frames.map(frame => h('option', { value: frame.name, selected: frame.name === inner }, frame.name)));
  return [h('h3', {}, `Node ${name}`),
    field(editor, 'assertion', edit.words(about, part.assertion), value => giving(name, 'assertion', value)),
    ranked || part.rank ? field(editor, 'rank', edit.words(about, part.rank), value => giving(name, 'rank', value), { placeholder: 'n, 3' }) : null,
    generalized || part.label ? field(editor, 'label', edit.words(about, part.label), value => giving(name, 'label', value)) : null,
    field(editor, 'name', name, value => renaming(editor, name, value)),
    ...around.filter(one => one.assertion).map(one => h('p', { class: 'faint' }, `and, from ${one.name.name}: `, h('code', {}, edit.words(about, one.assertion)))),
    h('div', { class: 'fields' }, generalized ? tick(editor, 'runs begin here', node.initial, (text, now) => edit.mark(text, now, 'initial', name, !node.initial)) : diagram.kind === 'invariance' ? null : tick(editor, 'a goal', node.terminal, (text, now) => edit.mark(text, now, 'terminal', name, !node.terminal)),
      diagram.frames.length ? inside : null),
    h('div', { class: 'fields' }, button('Begin an edge', () => { editor.begun = name; editor.focusNode(name); editor.draw(); }, { class: 'small', title: 'E, then Enter on the node where it leads; or drag from the point below the node' }),
      button('Frame', () => editor.change((text, now) => edit.frame(text, now, named(now, name) ?? part, free(now))), { class: 'small', title: 'A compound node round this one' }), button('Delete', () => editor.remove(), { class: 'small' })),
    editor.begun === name ? h('p', { class: 'hint' }, 'Where does the edge lead? Click a node, or go there with Tab and press Enter.') : null];
}

/** A name for a compound node. @param {Outline} outline */
function free(outline) {
  const taken = edit.every(outline.parts).map(({ part }) => part.name?.name);
  let k = 1;
  while (taken.includes(`c${k}`)) k++;
  return `c${k}`;
}

/** @param {Editor} editor @param {Sketch} diagram @param {Outline} outline @param {[string, string]} ends */
function ofEdge(editor, diagram, outline, [from, to]) {
  const edge = diagram.edges.find(one => one.from === from && one.to === to), part = edge?.parts.at(-1), about = editor.about ?? '';
  if (!edge || !part) return [];
  const helps = ['chain', 'rank'].includes(diagram.kind), several = edit.count(outline, part), list = h('datalist', { id: 'transitions' }, ...editor.transitions.map(name => h('option', { value: name })));
  return [h('h3', {}, `Edge ${from} → ${to}`), list,
    field(editor, helps ? 'helpful transitions' : 'only by', edit.words(about, part.by), value => (text, now) => { const line = edit.linesOf(now, from, to).at(-1); return line ? edit.setField(text, line, 'by', value) : text; }, { list: 'transitions', placeholder: helps ? 'fair, and leads along this edge' : 'any transition' }),
    several > 1 ? h('p', { class: 'faint' }, `One line of the text has ${several} edges: `, h('code', {}, edit.words(about, part.place)), button('This one alone', () => editor.change((text, now) => edit.alone(text, now, from, to)), { class: 'small' })) : null,
    h('div', { class: 'fields' }, button('Delete', () => editor.remove(), { class: 'small' }))];
}

/** @param {Editor} editor @param {Sketch} diagram @param {string} name */
function ofFrame(editor, diagram, name) {
  const frame = diagram.frames.find(one => one.name === name);
  if (!frame) return [];
  return [h('h3', {}, `Compound node ${name}`), h('p', { class: 'faint' }, `Its assertion holds in ${frame.nodes.join(', ')}, too.`),
    field(editor, 'assertion', edit.words(editor.about ?? '', frame.part.assertion), value => giving(name, 'assertion', value)), field(editor, 'name', name, value => renaming(editor, name, value)),
    h('div', { class: 'fields' }, button('Take the frame away', () => { editor.selected = null; editor.change((text, now) => { const part = named(now, name); return part ? edit.unframe(text, now, part) : text; }); }, { class: 'small' }))];
}

/** @param {Editor} editor @param {Sketch} diagram @param {Outline} outline */
function ofAll(editor, diagram, outline) {
  const kind = h('select', { onchange: (/** @type {Event} */ event) => { const { value } = /** @type {HTMLSelectElement} */ (event.target); editor.change((text, now) => `${text.slice(0, now.kind.place[0])}${value}${text.slice(now.kind.place[1])}`); } }, ...KINDS.map(one => h('option', { value: one, selected: one === diagram.kind }, one)));
  const formula = editor.properties.filter(one => diagram.proves.includes(one.name)), line = (editor.about ?? '').slice(0, outline.place[0]).split('\n').length;
  const open = () => { set({ view: 'source' }); /** @type {any} */ (document.querySelector('weave-source'))?.jump(line, 1); };
  return [h('h3', {}, diagram.name), h('label', { class: 'field' }, h('span', {}, 'kind'), kind, h('small', {}, `proves ${shows(diagram.kind)}`)),
    ...formula.map(one => h('p', {}, `${one.name}: `, h('code', {}, one.formula))), h('div', { class: 'fields' }, button(`Text, line ${line}`, open, { class: 'small' }), store.answer && !editor.problems.length ? button('Conditions', () => set({ view: 'proof' }), { class: 'small' }) : null),
    diagram.nodes.length ? null : h('p', { class: 'hint' }, 'Double-click the canvas for a first node, or press N. Drag from the point below a node to draw an edge.')];
}
