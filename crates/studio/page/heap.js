// @ts-check
/** The objects of a state, step by step. Every object keeps its place for the whole run, and only what the step changes is emphasised; of abstract states, nodes that stand for several are doubled and what may or may not hold is dashed. */

import * as ask from './ask.js';
import { fill, h, plural, s, soon } from './dom.js';
import { curve, tip } from './curves.js';
import { said, thread } from './run.js';
import { saver } from './save.js';
import { listen, store } from './store.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Heap} Heap */
/** @typedef {{name: string, from: number, to: number, half: boolean}} Edge */
/** Where everything is. @typedef {{nodes: [number, number][], sizes: [number, number][], routes: Map<string, [number, number][]>, size: [number, number]}} Places */

const LETTER = 6.9, LINE = 16, MARGIN = 34, LONGEST = 24;

/** @param {string} text */
const cut = text => text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
/** @param {number} from @param {number} to */
const pair = (from, to) => `${from} ${to}`;

/** What is shown of a node below its name: not what the name says already. @param {Heap['nodes'][0]} node */
const marks = node => node.marks.filter(mark => mark.half || mark.name !== node.name.replace(/\[\d+\]$/, ''));
/** What a node says: its name, then what holds of it. @param {Heap['nodes'][0]} node */
const lines = node => [node.name, ...marks(node).map(mark => cut(said(mark)))];

/** Edges between the same two nodes are one line with all their names. @param {Heap} heap @returns {Map<string, Edge[]>} */
function bundled(heap) {
  /** @type {Map<string, Edge[]>} */ const all = new Map();
  for (const edge of heap.edges) all.set(pair(edge.from, edge.to), [...all.get(pair(edge.from, edge.to)) ?? [], edge]);
  return all;
}

export class Heaps extends HTMLElement {
  /** Of each run, or of each state of an abstract one. @type {WeakMap<object, Promise<Places>>} */ known = new WeakMap();

  connectedCallback() {
    this.picture = h('div', { class: 'scroll heap', tabindex: '0' });
    this.legend = h('div', { class: 'legend' });
    this.append(this.picture, this.legend);
    const draw = soon(() => this.draw());
    listen(changed => { if (['run', 'at', 'as', 'view'].some(name => changed.has(name))) draw(); });
    draw();
  }

  /** Room for all objects of the run; of an abstract run for those of the state, which are others in each. @param {Run} run @param {number} at @returns {Promise<Places>} */
  places(run, at) {
    const about = run.about.abstract ? run.heaps[at] : run, heaps = run.about.abstract ? [run.heaps[at]] : run.heaps;
    let places = this.known.get(about);
    if (!places) { places = arranged(heaps); this.known.set(about, places); }
    return places;
  }

  async draw() {
    const { run, at } = store, { picture, legend } = this, heap = run?.heaps[at];
    if (!picture || !legend || !run || !heap || store.as !== 'heap') return;
    const places = await this.places(run, at);
    if (store.run !== run || store.at !== at) return;
    fill(picture, drawn(run, at, places));
    const parts = [heap.nodes.some(node => node.summary) ? 'double: stands for one or more' : '', heap.edges.some(edge => edge.half) ? 'dashed: may hold or not' : '', at && !run.about.abstract ? 'orange: changed by this step' : ''].filter(Boolean);
    fill(legend, plural(heap.nodes.length, 'object'), parts.length ? h('span', { class: 'faint' }, ` ${parts.join(', ')}`) : null, heap.facts.length ? h('span', { class: 'facts' }, heap.facts.map(said).join(', ')) : null, h('span', { class: 'grow' }), saver(() => drawn(run, at, places), 'objects'));
  }
}
customElements.define('weave-heap', Heaps);

/** Places for all nodes of some states, each as large as it ever gets. @param {Heap[]} heaps @returns {Promise<Places>} */
async function arranged(heaps) {
  const count = Math.max(0, ...heaps.map(heap => heap.nodes.length));
  /** @type {[number, number][]} */ const sizes = Array.from({ length: count }, () => [60, 34]);
  /** @type {Map<string, [number, number]>} */ const ends = new Map();
  for (const heap of heaps) {
    heap.nodes.forEach((node, k) => {
      const text = lines(node);
      sizes[k] = [Math.max(sizes[k][0], ...text.map(line => line.length * LETTER + 26)), Math.max(sizes[k][1], text.length * LINE + 16)];
    });
    for (const { from, to } of heap.edges) ends.set(pair(from, to), [from, to]);
  }
  const { nodes, routes, size } = await ask.layout(sizes, [...ends.values()]);
  return { nodes, sizes, size, routes: new Map([...ends.keys()].map((key, k) => [key, routes[k]])) };
}

/** @param {Run} run @param {number} at @param {Places} places @returns {SVGElement} */
function drawn(run, at, { nodes, sizes, routes, size }) {
  const heap = run.heaps[at], before = at && !run.about.abstract ? run.heaps[at - 1] : null, old = before ? bundled(before) : null, now = bundled(heap);
  const wide = size[0] + 2 * MARGIN, high = size[1] + 2 * MARGIN, names = (/** @type {Edge[] | undefined} */ edges) => (edges ?? []).map(said).join(', ');
  const edge = (/** @type {string} */ key, /** @type {Edge[]} */ edges, /** @type {string} */ look) => {
    const route = routes.get(key) ?? [], [from, to] = key.split(' ').map(Number), middle = label(route, sizes[from]), text = cut(names(edges));
    return s('g', { class: `edge ${look}${edges.every(one => one.half) ? ' half' : ''}` }, s('path', { d: curve(route, sizes[from], sizes[to]) }), tip(route, sizes[to]),
      s('text', { x: middle[0], y: middle[1] }, text));
  };
  const gone = old ? [...old].filter(([key]) => !now.has(key)).map(([key, edges]) => edge(key, edges, 'gone')) : [];
  const here = [...now].map(([key, edges]) => edge(key, edges, old && names(old.get(key)) !== names(edges) ? 'changed' : ''));
  const objects = heap.nodes.map((node, k) => {
    const [x, y] = nodes[k], text = lines(node), [width] = sizes[k], height = text.length * LINE + 16, was = before?.nodes[k];
    const known = new Set(was?.marks.map(said)), fresh = !!before && !was, mover = at > 0 && !run.about.abstract && run.steps[at - 1]?.actor === k;
    const box = (/** @type {number} */ grow, /** @type {string} */ look) => s('rect', { class: look, x: -width / 2 - grow, y: -height / 2 - grow, width: width + 2 * grow, height: height + 2 * grow, rx: (node.thread ? 15 : 4) + grow });
    return s('g', { class: `object${node.thread ? ' thread' : ''}${fresh ? ' fresh' : ''}${mover ? ' mover' : ''}`, transform: `translate(${x} ${y})`, style: { '--who': node.thread ? thread(k) : 'var(--ink-2)' } },
      node.summary ? box(4, 'outer') : null, box(0, ''),
      ...text.map((line, n) => s('text', { class: n ? before && !known.has(said(marks(node)[n - 1])) ? 'mark changed' : 'mark' : 'name', x: 0, y: -height / 2 + 20 + n * LINE }, line)));
  });
  return s('svg', { class: 'objects', width: wide, height: high, viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, role: 'img', 'aria-label': `${plural(heap.nodes.length, 'object')} after step ${at}: ${heap.edges.map(one => `${heap.nodes[one.from]?.name}.${one.name} is ${heap.nodes[one.to]?.name}`).join('; ')}` }, ...gone, ...here, ...objects);
}

/** Where the name of an edge stands. @param {[number, number][]} route @param {[number, number]} size @returns {[number, number]} */
function label(route, size) {
  if (route.length < 2) return [(route[0]?.[0] ?? 0) + size[0] / 2 + 34, route[0]?.[1] ?? 0];
  const middle = (route.length - 1) / 2, a = route[Math.floor(middle)], b = route[Math.ceil(middle)], flat = route.length === 2 && Math.abs(a[1] - b[1]) < 1;
  const c = Number.isInteger(middle) ? a : [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  return [c[0], c[1] - (flat ? 20 : -4)];
}
