// @ts-check
/** The run in the middle: as a chart, where lanes run down and messages cross, or as a list of steps. Only the rows that can be seen are drawn. */

import { Sight, button, fill, h, plural, s, soon } from './dom.js';
import { short, thread } from './run.js';
import { saver } from './save.js';
import { begin, complain, go, listen, set, store } from './store.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Group} Group */

const HEADS = 48, ALONE = 38, MESSAGE = 46, MESSAGE_AND_NOTE = 66, LISTED = 26;
/** So far around what can be seen is drawn; so much room is below the last row. */
const AROUND = 400, BELOW = 40;

export class Chart extends HTMLElement {
  /** Where each row begins. @type {number[]} */ tops = [];

/** The rows that are drawn, by their numbers. @type {Map<number, HTMLElement>} */ shown = new Map();
  /** The row of the step that is marked. */ marked = -1;

  connectedCallback() {
    this.classList.add('pane');
    this.heads = h('div', { class: 'heads' });
    this.rows = h('div', { class: 'rows', role: 'listbox', 'aria-label': 'Steps of the run', tabindex: '0' });
    this.scroller = h('div', { class: 'scroll' }, this.heads, this.rows);
    this.caption = h('span', {});
    this.forks = h('div', { class: 'forks' });
    const shape = (/** @type {import('./store.js').Shape} */ as, /** @type {string} */ name) => button(name, () => set({ as }), { 'data-as': as });
    this.shapes = h('span', { class: 'seg' }, shape('chart', 'Chart'), shape('list', 'List'), shape('heap', 'Objects'));
    this.save = saver(async () => store.run && (await import('./chartpicture.js')).charted(store.run), 'run');
    this.heap = h('weave-heap');
    this.append(h('h2', {}, this.caption, h('span', { class: 'grow' }), this.save, this.shapes), this.forks, this.scroller, this.heap);
    const see = soon(() => this.see()), frame = soon(() => { this.frame(); this.see(); });
    this.sight = new Sight(this.scroller, see, () => this.follow());
    this.rows.addEventListener('click', event => {
      const row = /** @type {Element} */ (event.target).closest('.row'), last = row?.getAttribute('data-last');
      if (last) go(Number(last));
    });
    listen(changed => {
      if (['run', 'as', 'runs'].some(name => changed.has(name))) { this.measure(); frame(); }
      if (['at', 'run', 'view'].some(name => changed.has(name))) { this.follow(); see(); }
    });
    this.measure();
    frame();
  }

  /** Where each row is. */
  measure() {
    const { run } = store, list = store.as === 'list';
    this.tops = [0];
    this.marked = -1;
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    if (!run) return;
    const heights = list ? run.steps.map(() => LISTED) : run.groups.map(group => !group.exchange ? ALONE : notes(group).length ? MESSAGE_AND_NOTE : MESSAGE);
    for (const height of heights) this.tops.push(this.tops[this.tops.length - 1] + height);
  }

  /** How long all rows are, and what is above and below them. */
  long() { return (store.as === 'list' ? 0 : HEADS) + this.tops[this.tops.length - 1] + BELOW; }

  /** @param {Run} run @param {number} at */
  rowOf(run, at) {
    return at === 0 ? -1 : store.as === 'list' ? at - 1 : run.groupOf.get(at) ?? -1;
  }

  /** Keeps the current row in sight. */
  follow() {
    const { run, at } = store, { sight, tops } = this;
    if (!run || !sight?.high) return;
    const row = this.rowOf(run, at), top = row < 0 ? 0 : tops[row], bottom = row < 0 ? 0 : tops[row + 1], high = sight.high - HEADS;
    if (top < sight.top) sight.down(top - Math.min(high / 3, 200), this.long());
    else if (bottom > sight.top + high) sight.down(bottom - high + Math.min(high / 3, 200), this.long());
  }

  /** What stays while one steps: names, lanes, forks, how the run ends. */
  frame() {
    const { run, at, as, runs } = store, { heads, rows, scroller, tops, heap, save } = this, list = as === 'list';
    if (!heads || !rows || !scroller || !heap || !save || !this.caption || !this.shapes || !this.forks) return;
    const shapes = /** @type {HTMLElement[]} */ ([...this.shapes.children]), objects = as === 'heap' && !!run?.heaps.length;
    for (const shape of shapes) { shape.setAttribute('aria-pressed', String(shape.dataset.as === (objects || as !== 'heap' ? as : 'chart'))); shape.hidden = shape.dataset.as === 'heap' && !run?.heaps.length; }
    this.shapes.hidden = !run;
    if (objects) import('./heap.js').catch(complain);
    [heap.hidden, scroller.hidden, save.hidden] = [!objects, objects, !run || objects || list];
    fill(this.forks, ...(runs.length > 1 ? runs : []).map(known => button(`${known.about.title}`, () => set({ run: known, at: Math.min(known.last, Math.max(at, known.forkedAt)) }), { class: 'fork-tab', 'aria-pressed': String(known === run) }, `${known.about.title}`, h('span', { class: 'faint' }, ` ${known.last}`))));
    if (!run) {
      this.caption.textContent = 'No run yet';
      fill(heads); fill(rows, h('div', { class: 'empty' }, h('p', {}, 'Check the file to see a run that violates a property, or make a run yourself.'), button('Simulate from the start', () => begin(), { class: 'main' })));
      rows.style.setProperty('height', 'auto');
      return;
    }
    this.caption.textContent = list || run.groups.length === run.last ? plural(run.last, 'step') : `${plural(run.groups.length, 'group')} of ${plural(run.last, 'step')}`;
    const place = placing(run), narrow = run.lanes.length > 5, end = tops[tops.length - 1];
    fill(heads, ...(list ? [] : run.lanes).map(actor => h('div', { class: `head${narrow ? ' narrow' : ''}`, style: { left: `${place(actor)}%`, '--who': thread(actor) }, title: `${run.name(actor)}[${run.trace.actors[actor].pid}]` }, run.name(actor), h('small', {}, `[${run.trace.actors[actor].pid}]`))));
    heads.hidden = list;
    rows.style.setProperty('height', `${end + BELOW}px`);
    fill(rows, list ? null : lanes(run, place, end), ending(run, end), ...this.shown.values());
  }

  /** Draws the rows that have come into sight, and marks the one of the step. What is seen already is not touched. */
  see() {
    const { run, at } = store, { rows, sight, tops, shown } = this, list = store.as === 'list';
    if (!run || !rows || !sight) return;
    const place = placing(run), from = Math.max(0, sight.top - AROUND), to = sight.top + sight.high + AROUND;
    const first = lower(tops, from), current = this.rowOf(run, at);
    let last = first;
    while (last < tops.length - 1 && tops[last] < to) last++;
    for (const [k, row] of shown) if (k < first || k >= last) { row.remove(); shown.delete(k); }
    for (let k = first; k < last; k++) {
      if (shown.has(k)) continue;
      const row = list ? listed(run, k) : charted(run, run.groups[k], place);
      shown.set(k, row);
      row.classList.add('row');
      row.classList.toggle('now', k === current);
      row.classList.toggle('later', k > current);
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(k === current));
      row.setAttribute('data-last', String(list ? k + 1 : run.groups[k].last));
      row.style.setProperty('top', `${tops[k]}px`);
      row.style.setProperty('height', `${tops[k + 1] - tops[k]}px`);
      if (run.loop !== null && (list ? k === run.loop : run.groups[k].first <= run.loop + 1 && run.loop + 1 <= run.groups[k].last)) row.append(h('span', { class: 'loop' }, '↻ the loop begins'));
      rows.append(row);
    }
    if (current === this.marked) return;
    for (const [k, row] of shown) if (k >= Math.min(current, this.marked) && k <= Math.max(current, this.marked)) {
      row.classList.toggle('now', k === current);
      row.classList.toggle('later', k > current);
      if (k === current || k === this.marked) row.setAttribute('aria-selected', String(k === current));
    }
    this.marked = current;
  }
}
customElements.define('weave-chart', Chart);

/** Where the lane of each process is, in percent of the width. @param {Run} run */
const placing = run => (/** @type {number} */ actor) => 11 + (run.lanes.indexOf(actor) + .5) * (86 / run.lanes.length);

/** The last place that is not behind. @param {number[]} tops @param {number} y */
function lower(tops, y) {
  let low = 0, high = tops.length - 1;
  while (low + 1 < high) { const middle = (low + high) >> 1; if (tops[middle] <= y) low = middle; else high = middle; }
  return low;
}

/** So many changes are told beside a row. */
const TOLD = 6;
/** Changes in words. @param {import('./run.js').Change[]} net */
const told = net => net.slice(0, TOLD).map(change => `${short(change.name)} = ${change.after}`).join(', ') + (net.length > TOLD ? `, and ${net.length - TOLD} more` : '');

/** What a message changed, beside it. @param {Group} group */
const notes = group => group.net.filter(change => !/^\[|^</.test(change.after));

/** @param {Run} run @param {(actor: number) => number} place @param {number} high */
function lanes(run, place, high) {
  return s('svg', { class: 'lanes', 'aria-hidden': 'true', height: high }, ...run.lanes.map(actor => s('line', { x1: `${place(actor)}%`, x2: `${place(actor)}%`, y1: 0, y2: high, style: { stroke: thread(actor) } })));
}

/** @param {Run} run @param {Group} group @param {(actor: number) => number} place */
function charted(run, group, place) {
  const row = h('div', {}, h('span', { class: 'no' }, group.first === group.last ? String(group.first) : `${group.first}–${group.last}`));
  const picture = s('svg', { 'aria-hidden': 'true' });
  row.append(picture);
  const beside = (/** @type {number} */ actor) => place(actor) > 68 ? { right: `calc(${100 - place(actor)}% + 12px)` } : { left: `calc(${place(actor)}% + 12px)`, 'max-width': `calc(${100 - place(actor)}% - 24px)` };
  const dot = (/** @type {number} */ actor, /** @type {number} */ y, /** @type {string} */ look) => s('circle', { cx: `${place(actor)}%`, cy: y, r: look === 'wrong' ? 6 : 4, class: `dot ${look}`, style: { '--who': thread(actor) } });
  const bead = (/** @type {number} */ actor, /** @type {number} */ y, /** @type {string} */ text, /** @type {string} */ look) => h('span', { class: `bead ${look}`, style: { ...beside(actor), top: `${y}px`, '--who': thread(actor) }, title: text }, text);
  const { exchange } = group;
  if (!exchange) {
    const y = ALONE / 2, changed = told(group.net);
    const said = group.printed ? ` “${group.printed.trim()}”` : '';
    const text = group.fault ? `✕ ${group.fault}` : (changed || group.text) + said;
    picture.append(dot(group.actor, y, group.fault ? 'wrong' : 'alone'));
    row.append(bead(group.actor, y, text, group.fault ? 'wrong' : ''));
    return row;
  }
  const from = exchange.from ?? exchange.to ?? group.actor, to = exchange.to ?? exchange.from ?? group.actor;
  const a = place(from), b = place(to), y = 24, way = b > a ? 1 : -1, buffered = exchange.kind !== 'handshake';
  const message = h('span', { class: `msg ${exchange.kind}`, title: `${exchange.channel} ${exchange.message}` });
  const [first, ...rest] = exchange.message.split(',');
  fill(message, run.channels > 1 ? h('span', { class: 'chan' }, exchange.channel) : null, h('b', {}, first), ...rest.map(field => h('span', {}, field)));
  message.style.setProperty('--who', thread(from));
  if (from === to) {
    picture.append(dot(group.actor, y, 'alone'));
    for (const [side, value] of Object.entries(beside(group.actor))) message.style.setProperty(side, value);
    message.classList.add('beside');
    message.prepend(h('span', { class: 'sign' }, exchange.kind === 'send' ? '→' : '←'));
  } else {
    picture.append(s('line', { x1: `${a}%`, x2: `${b}%`, y1: y, y2: y, class: `flight${buffered ? ' buffered' : ''}`, style: { stroke: thread(from) } }), dot(from, y, 'from'),
      s('svg', { x: `${b}%`, y, class: 'tip' }, s('path', { d: `M${-way * 3},0 l${-way * 9},-5 v10 z`, style: { fill: thread(from) } })));
    const far = Math.abs(run.lanes.indexOf(from) - run.lanes.indexOf(to)) > 1;
    message.style.setProperty('left', `${far ? a + (b - a) * (.5 / Math.abs(run.lanes.indexOf(from) - run.lanes.indexOf(to))) : (a + b) / 2}%`);
  }
  message.style.setProperty('top', `${y}px`);
  row.append(message);
  const net = notes(group);
  if (net.length) {
    const owner = run.owner(net[0].name), whose = owner < 0 ? to : owner;
    picture.append(dot(whose, y + 25, 'alone'));
    row.append(bead(whose, y + 25, (group.fault ? `✕ ${group.fault} ` : '') + told(net), group.fault ? 'wrong' : ''));
  }
  return row;
}

/** @param {Run} run @param {number} k */
function listed(run, k) {
  const step = run.steps[k], statement = step.statements[0];
  const changed = step.changes.map(change => `${short(change.name)} ${change.before} → ${change.after}`).join(', ');
  return h('div', { class: 'listed', style: { '--who': thread(step.actor) } },
    h('span', { class: 'no' }, String(k + 1)), h('span', { class: 'who' }, run.called(step.actor)),
    h('span', { class: 'faint line' }, statement?.location ? String(statement.location.line) : ''),
    h('code', {}, step.statements.map(one => one.text).join('  ⇄  ')),
    h('span', { class: step.fault ? 'bad' : 'changed' }, step.fault ? `✕ ${step.fault}` : changed));
}

/** How the run ends, below its last row. @param {Run} run @param {number} top */
function ending(run, top) {
  const { kind, message } = run.ending;
  const words = { deadlock: '✕ deadlock: no step is enabled', fault: '', race: '✕ a data race: nothing orders the last two accesses', lasso: '↻ and again from there, without end', end: 'the run ends', open: '' }[kind ?? ''] ?? (message ? `✕ ${kind}: ${message}` : '');
  return words ? h('div', { class: `ending ${kind === 'end' ? '' : 'bad'}`, style: { top: `${top + 8}px` } }, words) : null;
}
