// @ts-check
/** The states around the one where the run stands, laid out by the server: height is steps from there. A click goes to a state; the sign below one that is dashed draws what follows. */

import * as ask from './ask.js';
import { curve, tip } from './curves.js';
import { button, fill, h, plural, s, soon } from './dom.js';
import { thread } from './run.js';
import { saver } from './save.js';
import { complain, listen, question, store, travel } from './store.js';

/** @typedef {{path: number[], status: string, expanded: boolean, state: Record<string, string>}} Near */
/** @typedef {{graph: {whole: boolean, states: Near[], edges: {from: number, to: number, who: string, text: string}[]}, lines: string[][], sizes: [number, number][], nodes: [number, number][], routes: [number, number][][], size: [number, number]}} Picture */

const FIRST = 30, MOST = 500, MARGIN = 40;
/** Pictures with no more edges say at each which statement it is, as far as there is room. */
const NAMED = 60, LONGEST = 17;

export class Graph extends HTMLElement {
  /** What the picture is about. */ about = '';
  /** @type {import('./run.js').Run | null} */ run = null;
  /** @type {Picture | null} */ picture = null;
  /** The step around whose state it is. */ origin = 0;
  most = FIRST;
  /** States whose steps were asked for, by the ways to them. @type {string[]} */ further = [];
  /** Whether all states are shown, and those of a reduced search beside them. */ reduces = false;

  connectedCallback() {
    this.classList.add('pane');
    this.caption = h('span', {});
    this.body = h('div', { class: 'scroll graph', tabindex: '0' });
    this.more = button('More states', () => { this.most = Math.min(MOST, this.most * 3); this.ask(); }, { class: 'small' });
    const kind = (/** @type {boolean} */ reduces, /** @type {string} */ words) => button(words, () => { this.reduces = reduces; this.about = ''; this.ask(); }, { 'data-reduces': String(reduces) });
    this.kinds = h('span', { class: 'seg' }, kind(false, 'Around here'), kind(true, 'Reduced beside full'));
    this.append(h('h2', {}, this.caption, h('span', { class: 'grow' }), saver(() => this.body?.querySelector('svg') ?? null, 'states'), this.more, this.kinds), this.body);
    const again = soon(() => { if (store.view === 'graph') this.ask(); });
    listen(changed => { if (changed.has('view') || changed.has('run')) again(); else if (changed.has('at')) this.mark(); });
    again();
  }

  /** Asks for the states around the present one. */
  async ask() {
    const { run, at } = store;
    if (!run || !this.caption || !this.kinds) return;
    this.kinds.hidden = !/\.(pml|prom|promela|spin)$/.test(store.file);
    if (this.kinds.hidden) this.reduces = false;
    for (const kind of this.kinds.children) kind.setAttribute('aria-pressed', String(kind.getAttribute('data-reduces') === String(this.reduces)));
    const moved = this.run !== run || this.origin !== at, about = this.reduces ? `${store.file} ${store.text.length}` : `${store.runs.indexOf(run)} ${at} ${this.most} ${this.further} ${store.text.length}`;
    if (about === this.about && (this.run === run || this.reduces)) return;
    if (moved && this.about) this.further = [];
    [this.about, this.run] = [about, run];
    this.caption.textContent = 'Looking around …';
    try {
      if (this.reduces) { await this.reduced(); return; }
      const asking = await question({ command: 'simulate', guide: run.recording, orders: [`j ${at}`, ['g', this.most, ...this.further].join(' ')] });
      if (!asking) return;
      this.picture = await ask.graph(asking);
      this.origin = at;
      this.draw();
    } catch (error) { this.caption.textContent = 'No states'; fill(this.body ?? this); complain(error); }
  }

  /** All states, and those of a reduced search. */
  async reduced() {
    const { look, side } = await import('./reduction.js'), { body, caption, more } = this, found = await look();
    if (!found || !body || !caption || !more || !this.reduces) return;
    caption.textContent = 'What a reduction leaves out';
    more.hidden = true;
    fill(body, side(found));
  }

  /** Draws the steps out of a state that is dashed. @param {Near} near */
  grow(near) { this.further = [...this.further, near.path.join('.')]; this.ask(); }

  draw() {
    const { picture, body, caption, more } = this, { run } = store;
    if (!picture || !body || !caption || !more || !run) return;
    const { graph, lines, sizes, nodes, routes, size } = picture;
    caption.textContent = `${plural(graph.states.length, 'state')} around ${this.origin ? `the one after step ${this.origin}` : 'the start'}${graph.whole ? ': everything that can be reached from there' : ''}`;
    more.hidden = graph.whole || graph.states.length >= MOST;
    const wide = Math.max(size[0] + 2 * MARGIN, 1), high = Math.max(size[1] + 2 * MARGIN, 1);
    const edges = graph.edges.map((edge, k) => {
      const actor = run.actors(edge.who)[0] ?? -1;
      return s('g', { class: 'edge', style: { '--who': thread(actor) } }, s('title', {}, `${edge.who}: ${edge.text}`), s('path', { d: curve(routes[k], sizes[edge.from], sizes[edge.to]) }), tip(routes[k], sizes[edge.to]),
        graph.edges.length <= NAMED && routes[k].length > 1 ? s('text', { x: (routes[k][0][0] + routes[k][1][0]) / 2, y: (routes[k][0][1] + routes[k][1][1]) / 2 + (k % 2 ? 8 : -1) }, edge.text.length > LONGEST ? `${edge.text.slice(0, LONGEST - 1)}…` : edge.text) : null);
    });
    const states = graph.states.map((near, k) => {
      const [width, height] = sizes[k], [x, y] = nodes[k], top = y - Math.max(0, lines[k].length - 1) * 7.5 + 4;
      const state = s('g', { class: `state ${near.status}${k ? '' : ' here'}${near.expanded ? '' : ' folded'}`, tabindex: 0, role: 'button', 'aria-label': `State: ${lines[k].join(', ') || (k ? 'the same values' : 'where the run stands')}`, transform: `translate(${x} ${y})` },
        s('title', {}, Object.entries(near.state).map(([name, value]) => `${name} = ${value}`).join('\n')),
        s('rect', { x: -width / 2, y: -height / 2, width, height, rx: 7 }),
        ...(lines[k].length ? lines[k] : [k ? 'same' : 'here']).map((line, n) => s('text', { x: 0, y: top - y + n * 15 }, line)),
        ...near.expanded || !near.path.length ? [] : [s('circle', { class: 'grow-here', cy: height / 2, r: 8 }, s('title', {}, 'Draw the steps from here (+)')), s('path', { class: 'grow-sign', d: `M-4,${height / 2} h8 M0,${height / 2 - 4} v8` })]);
      const grow = () => { if (!near.expanded && near.path.length) this.grow(near); };
      state.querySelector('.grow-here')?.addEventListener('click', event => { event.stopPropagation(); grow(); });
      const visit = () => travel(run, this.origin, near.path);
      state.addEventListener('click', visit);
      state.addEventListener('keydown', event => { const { key } = /** @type {KeyboardEvent} */ (event); if (key === 'Enter') visit(); else if (key === '+') grow(); });
      return state;
    });
    fill(body, s('svg', { width: wide, height: high, viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, class: 'states' }, ...edges, ...states));
    body.scrollLeft = (nodes[0]?.[0] ?? 0) + MARGIN - body.clientWidth / 2;
    this.mark();
  }

  /** A step of the run that is shown makes no new picture. */
  mark() { this.classList.toggle('elsewhere', store.at !== this.origin); }
}
customElements.define('weave-graph', Graph);
