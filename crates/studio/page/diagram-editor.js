// @ts-check
/** Diagrams, drawn and edited: each change is one of the text, which stays the truth; the conditions are proved as one edits and coloured on their nodes and edges. */

import * as ask from './ask.js';
import { detail, rank } from './conditions.js';
import { drawEdge, drawFrame, drawNode, drawProposed, sketch, tight } from './diagram-drawing.js';
import { inspector } from './diagram-parts.js';
import { askForNew } from './diagram-new.js';
import * as edit from './diagram-text.js';
import { button, fill, h, s, soon } from './dom.js';
import { check, complain, listen, question, set, store } from './store.js';

/** @typedef {import('./diagram-drawing.js').Sketch} Sketch */
/** @typedef {import('./diagram-drawing.js').Point} Point */
/** @typedef {import('./diagram-text.js').Outline} Outline */
/** @typedef {{node: string} | {edge: [string, string]} | {frame: string} | null} Selected */
/** @typedef {import('./conditions.js').Condition} Condition */

/** After so many milliseconds without a change the conditions are proved again. */
const PAUSE = 350, MARGIN = 60, NUDGE = 12, ROOM = 64;

export class DiagramEditor extends HTMLElement {
  /** @type {Outline[]} */ outlines = [];
  /** The text that they are about. @type {string | null} */ about = null;
  /** @type {{name: string, formula: string}[]} */ properties = [];
  /** @type {string[]} */ transitions = [];
  /** @type {import('./store.js').Diagnostic[]} */ problems = [];
  /** Where the nodes of each diagram are. @type {Map<string, Map<string, Point>>} */ places = new Map();
  /** The diagram that is shown. */ name = '';
  /** @type {Selected} */ selected = null;
  /** Texts before the last changes. @type {string[]} */ past = [];
  /** What the mouse is doing. @type {{drag: string, by: Point} | {connect: string, to: Point} | null} */ doing = null;
  /** An edge that is begun by keyboard. */ begun = '';
  file = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */ pause;
  /** Changes one after the other. @type {Promise<any>} */ turn = Promise.resolve();

  connectedCallback() {
    this.classList.add('pane');
    this.heading = h('h2', {});
    this.svg = s('svg', { class: 'states drawing', role: 'group', 'aria-label': 'Diagram' });
    this.stage = h('div', { class: 'stage' }, this.svg);
    this.canvas = h('div', { class: 'scroll canvas', tabindex: '0', role: 'region', 'aria-label': 'Canvas' }, this.stage);
    this.side = h('aside', { class: 'scroll inspector', 'aria-label': 'What is selected' });
    this.append(this.heading, h('div', { class: 'beside' }, this.canvas, this.side));
    this.svg.addEventListener('mousedown', event => this.press(/** @type {MouseEvent} */ (event)));
    addEventListener('mousemove', event => this.drag(event));
    addEventListener('mouseup', event => this.release(event));
    this.addEventListener('keydown', event => this.key(event));
    const draw = soon(() => this.draw()), look = soon(() => this.look());
    this.again = draw;
    listen(changed => {
      if (store.file !== this.file) { Object.assign(this, { file: store.file, about: null, outlines: [], name: '', selected: null, past: [], places: new Map() }); }
      if (store.view !== 'diagram') return;
      if (['view', 'text', 'opened', 'file', 'program'].some(name => changed.has(name))) look();
      if (['answer', 'job', 'view'].some(name => changed.has(name))) draw();
    });
    this.file = store.file;
    look();
  }

  // ---- the text ----

  /** Asks where the parts of the diagrams are. @param {string} text @returns {Promise<{outlines: Outline[], problems: import('./store.js').Diagnostic[], result: import('./ask.js').Line | undefined}>} */
  async outline(text) {
    const asking = await question({ command: 'prove', options: ['outline'], ...text === store.opened?.text ? {} : { draft: text } });
    const said = asking ? await ask.all(asking) : [], result = said.find(line => line.event === 'result');
    if (result && !result.diagrams) throw new Error(result.reason);
    const own = (result?.diagrams ?? []).filter((/** @type {Outline} */ one) => one.file.endsWith(store.file));
    return { outlines: edit.inLetters(text, own), problems: /** @type {any[]} */ (said.filter(line => line.event === 'diagnostic' && line.severity === 'error')), result };
  }

  /** Looks at the text, if it is another. */
  look() {
    this.turn = this.turn.then(async () => {
      const { text } = store;
      if (text === this.about || !store.opened) return;
      this.take(text, await this.outline(text));
      if (this.shown() && !this.judged()) this.prove();
    }).catch(complain);
  }

  /** @param {string} text @param {Awaited<ReturnType<DiagramEditor['outline']>>} read */
  take(text, { outlines, problems, result }) {
    [this.about, this.outlines, this.problems] = [text, outlines, problems];
    if (result?.properties?.length) this.properties = result.properties;
    if (result?.transitions?.length) this.transitions = result.transitions;
    if (!outlines.some(one => one.name.name === this.name)) this.name = outlines[0]?.name.name ?? '';
    this.draw();
  }

  shown() { return this.outlines.find(one => one.name.name === this.name); }

  /**
   * Changes the text. A change after which the diagram could not be read is not made; then it is said why.
   * @param {(text: string, outline: Outline) => string} how @param {string} [name] the diagram that is shown then @returns {Promise<string>}
   */
  change(how, name = this.name) {
    const made = this.turn.then(async () => {
      const outline = this.shown(), before = store.text;
      const text = outline ? how(before, outline) : how(before, /** @type {any} */ (null));
      if (text === before) return '';
      const read = await this.outline(text);
      if (!read.outlines.some(one => one.name.name === name)) return read.problems[0]?.message ?? 'the diagram cannot be read then';
      this.past.push(before);
      this.name = name;
      this.take(text, read);
      set({ text });
      this.prove();
      return '';
    });
    this.turn = made.catch(error => { complain(error); return ''; });
    return this.turn;
  }

  undo() {
    const text = this.past.pop();
    if (text !== undefined) { set({ text }); this.prove(); }
  }

  /** Proves the conditions of the diagram that is shown, soon. */
  prove() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      const shown = this.shown();
      if (!shown || this.problems.length || store.view !== 'diagram') { this.draw(); return; }
      check('prove', { property: shown.proves.length ? shown.proves.map(one => one.name) : [shown.name.name] }, true);
    }, PAUSE);
  }

  // ---- what became of it ----

  /** Conditions of the diagram that is shown. @returns {Condition[]} */
  conditions() {
    /** @type {Condition[]} */ const all = store.answered === store.text ? store.answer?.obligations ?? [] : [];
    return all.filter(one => one.place?.diagram === this.name).sort((a, b) => rank(a) - rank(b));
  }

  /** @returns {import('./diagram.js').Diagram | undefined} */
  judged() { return store.answered === store.text ? store.answer?.diagrams?.find((/** @type {{name: string}} */ one) => one.name === this.name) : undefined; }

  /** Conditions of what is selected; of the whole diagram if nothing is. @param {Sketch} diagram */
  own(diagram) {
    const { selected } = this, all = this.conditions();
    if (!selected || 'frame' in selected) return all;
    if ('node' in selected) return all.filter(one => one.place?.node === selected.node && !one.place.edge);
    const [from, to] = selected.edge, edge = diagram.edges.find(one => one.from === from && one.to === to), by = edge?.by.split(/\s*,\s*/).map(name => name.split('[')[0]) ?? [];
    return all.filter(one => one.place?.edge ? one.place.edge[0] === from && one.place.edge[1] === to : one.place?.part === 'helpful' && one.place.node === from && by.includes(one.place.transition?.split('[')[0] ?? ''));
  }

  /** Edges that would make a condition of what is selected valid, each once. @param {Sketch} diagram @returns {[string, string][]} */
  proposed(diagram) {
    const all = this.selected ? this.own(diagram).flatMap(one => one.place?.missing ? [one.place.missing] : []) : [];
    return all.filter((edge, k) => all.findIndex(other => other.join(' ') === edge.join(' ')) === k);
  }

  // ---- drawing ----

  draw() {
    const { heading, svg, side, stage } = this;
    if (!heading || !svg || !side || !stage || store.view !== 'diagram') return;
    const outline = this.shown(), held = document.activeElement, focused = held instanceof SVGElement ? ['data-node', 'data-edge', 'data-frame', 'data-proposed'].map(name => [name, held.getAttribute(name)]).find(([, value]) => value) : undefined;
    fill(heading, ...this.tools(outline));
    if (!outline) { fill(svg); fill(side, ...this.none()); return; }
    const diagram = sketch(store.text === this.about ? store.text : this.about ?? '', outline), places = this.placed(diagram);
    if (!places) return;
    const judged = this.judged(), { selected } = this;
    const wrong = (/** @type {edit.Part} */ part) => this.problems.some(one => one.labels[0]?.file.endsWith(store.file) && one.labels[0].start >= part.place[0] && one.labels[0].end <= part.place[1]);
    const { clientWidth, clientHeight } = /** @type {HTMLElement} */ (this.canvas), right = Math.max(clientWidth - MARGIN - 4, ...diagram.nodes.map(node => (places.get(node.name)?.[0] ?? 0) + node.size[0] / 2)) + MARGIN, down = Math.max(clientHeight - MARGIN - 4, ...diagram.nodes.map(node => (places.get(node.name)?.[1] ?? 0) + node.size[1] / 2)) + MARGIN;
    svg.setAttribute('width', String(right)); svg.setAttribute('height', String(down));
    this.classList.toggle('checking', !judged && !this.problems.length);
    const text = (/** @type {edit.Place | null} */ place) => edit.words(this.about ?? '', place);
    fill(svg, ...[...diagram.frames].sort((a, b) => a.depth - b.depth).map(frame => drawFrame(diagram, places, frame, text(frame.part.assertion), selected !== null && 'frame' in selected && selected.frame === frame.name)),
      ...diagram.edges.map(edge => drawEdge(diagram, places, edge, judged?.edges.find(one => one.from === edge.from && one.to === edge.to)?.status ?? 'plain', selected !== null && 'edge' in selected && selected.edge.join(' ') === `${edge.from} ${edge.to}`)),
      ...diagram.nodes.map(node => drawNode(node, places.get(node.name) ?? [0, 0], judged?.nodes.find(one => one.name === node.name)?.status ?? 'plain', { selected: selected !== null && 'node' in selected && selected.node === node.name, wrong: wrong(node.part) })),
      ...this.proposed(diagram).map(([from, to]) => drawProposed(diagram, places, from, to)),
      this.doing && 'connect' in this.doing ? s('path', { class: 'rubber', d: `M${places.get(this.doing.connect)} L${this.doing.to}` }) : null);
    if (focused) /** @type {SVGElement | undefined} */ ([...svg.querySelectorAll(`[${focused[0]}]`)].find(one => one.getAttribute(/** @type {string} */ (focused[0])) === focused[1]))?.focus();
    if (!side.contains(document.activeElement) || !(document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement)) this.inspect(diagram);
  }

  /** Where the nodes are: laid out, unless they are placed already. @param {Sketch} diagram @returns {Map<string, Point> | null} */
  placed(diagram) {
    const known = this.places.get(this.name);
    if (known && diagram.nodes.every(node => known.has(node.name))) return known;
    const number = new Map(diagram.nodes.map((node, k) => [node.name, k])), { name } = this;
    const ends = tight(diagram).map(edge => /** @type {[number, number]} */ ([number.get(edge.from), number.get(edge.to)]));
    ask.layout(diagram.nodes.map(({ size }) => [size[0] + ROOM, size[1]]), ends).then(({ nodes, size }) => {
      const left = Math.max(MARGIN, ((this.canvas?.clientWidth ?? 0) - size[0]) / 2);
      this.places.set(name, new Map(diagram.nodes.map((node, k) => [node.name, [nodes[k][0] + left, nodes[k][1] + MARGIN]])));
      this.draw();
    }).catch(complain);
    return null;
  }

  /** @param {Outline | undefined} outline */
  tools(outline) {
    const judged = this.judged(), all = this.conditions(), proved = all.filter(one => one.status === 'proved').length;
    const choose = h('select', { 'aria-label': 'Diagram', onchange: (/** @type {Event} */ event) => { this.name = /** @type {HTMLSelectElement} */ (event.target).value; this.selected = null; this.draw(); if (!this.judged()) this.prove(); } },
      ...this.outlines.map(one => h('option', { value: one.name.name, selected: one.name.name === this.name }, one.name.name)));
    const state = this.problems.length ? ['bad', 'cannot be read'] : judged ? [judged.status === 'proved' ? 'good' : judged.status === 'failed' ? 'bad' : 'open', `${proved} of ${all.length} conditions`] : ['open', store.job ? 'proving …' : 'not proved yet'];
    return [...outline ? [choose, h('span', { class: `badge ${state[0]}`, role: 'status' }, state[1]), h('span', { class: 'faint' }, `${outline.kind.name} diagram for ${outline.proves.map(one => one.name).join(', ') || outline.name.name}`)] : [h('span', {}, 'Diagrams')], h('span', { class: 'grow' }),
      ...outline ? [button('Add a node', () => this.addNode(null), { class: 'small', title: 'N, or a double click' }), button('Undo', () => this.undo(), { class: 'small', disabled: !this.past.length }), button('Lay out', () => { this.places.delete(this.name); this.draw(); }, { class: 'small' })] : [],
      button('New diagram', () => this.create(), { class: outline ? 'small' : 'small main-small' })];
  }

  none() {
    return [h('p', { class: 'hint' }, this.about === null ? 'Reading …' : 'There is no diagram in this file. A diagram is a proof that can be seen: nodes say what holds, edges say which steps lead from one to the next.'), ...this.complaints(),
      this.about !== null ? h('p', { class: 'hint' }, 'New diagram draws one for a property: an empty one, or one that is derived.') : null].filter(part => part !== null);
  }

  complaints() {
    return this.problems.map(one => h('p', { class: 'problem-line' }, h('b', {}, one.labels[0] ? `line ${one.labels[0].line}: ` : ''), one.message, one.help ? h('small', {}, ` ${one.help}`) : null));
  }

  /** @param {Sketch} diagram */
  inspect(diagram) {
    const { side } = this, outline = this.shown();
    if (!side || !outline) return;
    const own = this.own(diagram), open = own.filter(one => one.status !== 'proved'), whole = !this.selected;
    /** @type {import('./store.js').Property[]} */ const asked = this.judged() ? store.answer?.properties ?? [] : [];
    const reason = this.conditions().length ? null : asked.find(one => diagram.proves.includes(one.name))?.reason;
    fill(side, ...inspector(this, diagram, outline), ...this.complaints(), reason ? h('p', { class: 'reason' }, reason) : null,
      own.length ? h('h3', {}, `${own.length - open.length} of ${own.length} conditions ${whole ? '' : 'here '}proved`) : null,
      ...open.map((one, k) => h('details', { class: 'obligation', open: k === 0 }, h('summary', {}, h('span', { class: `badge ${one.status === 'failed' ? 'bad' : 'open'}` }, one.status), h('b', {}, one.name), whole && one.place?.node ? button(`node ${one.place.node}`, () => this.select({ node: one.place?.node ?? '' }), { class: 'small bare' }) : null), this.proposal(one), detail(one))),
      !whole && own.length > open.length ? h('details', {}, h('summary', {}, `${own.length - open.length} proved`), ...own.filter(one => one.status === 'proved').map(one => h('details', { class: 'obligation' }, h('summary', {}, h('b', {}, one.name)), detail(one)))) : null);
  }

  /** What would make a condition valid, to be done at once. @param {Condition} one */
  proposal({ place }) {
    if (!place?.missing) return null;
    const [from, to] = place.missing;
    return h('p', { class: 'proposal' }, button(`Draw the edge ${from} → ${to}`, () => this.connect(from, to), { class: 'small', title: 'P on the node' }), h('span', { class: 'faint' }, 'or say in the node that the step is not possible'));
  }

  /** @param {Selected} selected */
  select(selected) { this.selected = selected; this.begun = ''; if (this.side?.contains(document.activeElement)) /** @type {HTMLElement} */ (document.activeElement).blur(); this.draw(); }

  // ---- changes ----

  /** A new node, and its assertion is typed at once. @param {Point | null} at */
  async addNode(at) {
    const outline = this.shown();
    if (!outline) return;
    const name = edit.fresh(outline), places = this.places.get(this.name) ?? new Map(), low = Math.max(0, ...[...places.values()].map(place => place[1]));
    places.set(name, at ?? [MARGIN + 120, places.size ? low + 90 : MARGIN]);
    this.places.set(this.name, places);
    await this.change((text, now) => edit.addNode(text, now, name, 'true'));
    this.select({ node: name });
    this.write(name);
  }

  /** @param {string} from @param {string} to */
  connect(from, to) {
    this.selected = { edge: [from, to] };
    if (this.shown() && edit.linesOf(/** @type {Outline} */ (this.shown()), from, to).length) { this.draw(); return; }
    this.change((text, outline) => edit.addEdge(text, outline, from, to)).then(() => this.draw());
  }

  /** @param {string} ends */
  accept(ends) { this.connect(.../** @type {[string, string]} */ (ends.split(' '))); }

  /** Takes away what is selected. */
  remove() {
    const { selected } = this;
    if (!selected || 'frame' in selected) return;
    this.selected = null;
    this.change((text, outline) => 'node' in selected ? edit.removeNode(text, outline, selected.node) : edit.removeEdge(text, outline, ...selected.edge));
  }

  /** The assertion is edited where it stands. @param {string} name */
  write(name) {
    const outline = this.shown(), { stage, about } = this;
    const node = outline && about !== null ? sketch(about, outline).nodes.find(one => one.name === name) : undefined, at = this.places.get(this.name)?.get(name);
    if (!node || !stage || !at || about === null) return;
    const part = () => edit.every(this.shown()?.parts ?? []).find(one => one.part.name?.name === name)?.part, before = edit.words(about, node.part.assertion), width = Math.max(node.size[0], 180);
    const input = /** @type {HTMLInputElement} */ (h('input', { value: before, 'aria-label': `Assertion of node ${name}`, spellcheck: 'false' })), why = h('p', { class: 'bad' });
    const box = h('div', { class: 'in-place', style: { left: `${at[0] - width / 2}px`, top: `${at[1] - 17}px`, width: `${width}px` } }, input, why);
    let done = false;
    const finish = async (/** @type {boolean} */ keep) => {
      if (done) return;
      done = true;
      why.textContent = keep ? await this.change(text => { const now = part(); return now ? edit.setField(text, now, 'assertion', input.value) : text; }) : '';
      if (why.textContent) { done = false; input.focus(); return; }
      box.remove();
      this.focusNode(name);
    };
    input.addEventListener('keydown', event => { event.stopPropagation(); if (event.key === 'Enter') finish(true); else if (event.key === 'Escape') finish(false); });
    input.addEventListener('blur', () => { if (!why.textContent) finish(true); });
    stage.querySelectorAll('.in-place').forEach(old => old.remove());
    stage.append(box);
    input.focus();
    input.select();
  }

  /** @param {string} name */
  focusNode(name) { /** @type {SVGElement | undefined} */ ([...this.svg?.querySelectorAll('[data-node]') ?? []].find(one => one.getAttribute('data-node') === name))?.focus({ preventScroll: true }); }

  async create() {
    await this.turn;
    const made = await askForNew(this.properties, this.outlines.map(one => one.name.name));
    if (!made) return;
    const why = await this.change(text => `${text}${text.endsWith('\n') || !text ? '' : '\n'}\n${made.text}`, made.name);
    if (why) complain(new Error(why));
    this.select(null);
    this.canvas?.focus();
  }

  // ---- mouse and keys ----

  /** @param {MouseEvent} event @returns {Point} */
  point(event) { const box = /** @type {SVGElement} */ (this.svg).getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; }

  /** What is under the mouse. @param {Element | null} element */
  under(element) {
    const of = (/** @type {string} */ name) => element?.closest(`[${name}]`)?.getAttribute(name) ?? '';
    return { port: of('data-port'), node: of('data-node'), edge: of('data-edge'), frame: of('data-frame'), proposed: of('data-proposed') };
  }

  /** The second press of a double click comes here, too: what was under the first one may be drawn anew. @param {MouseEvent} event */
  press(event) {
    if (event.button) return;
    event.preventDefault();
    if (event.detail > 1) { this.twice(event); return; }
    const { port, node, edge, frame, proposed } = this.under(/** @type {Element} */ (event.target)), at = this.point(event), place = this.places.get(this.name)?.get(node);
    if (proposed) { this.accept(proposed); return; }
    if (port) this.doing = { connect: port, to: at };
    else if (node && place) this.doing = { drag: node, by: [at[0] - place[0], at[1] - place[1]] };
    if (node && this.begun && this.begun !== node) { const from = this.begun; this.begun = ''; this.doing = null; this.connect(from, node); return; }
    this.select(node ? { node } : edge ? { edge: /** @type {[string, string]} */ (edge.split(' ')) } : frame ? { frame } : null);
    if (node) this.focusNode(node);
  }

  /** @param {MouseEvent} event */
  drag(event) {
    const { doing } = this, at = this.point(event);
    if (!doing) return;
    if ('connect' in doing) doing.to = at;
    else this.places.get(this.name)?.set(doing.drag, [Math.max(30, at[0] - doing.by[0]), Math.max(20, at[1] - doing.by[1])]);
    this.again?.();
  }

  /** @param {MouseEvent} event */
  release(event) {
    const { doing } = this;
    if (!doing) return;
    this.doing = null;
    if ('connect' in doing) {
      const to = this.under(document.elementFromPoint(event.clientX, event.clientY)).node, from = doing.connect, away = Math.hypot(...this.point(event).map((x, k) => x - (this.places.get(this.name)?.get(from)?.[k] ?? 0)));
      if (to && (to !== from || away > 30)) this.connect(from, to);
    }
    this.draw();
  }

  /** @param {MouseEvent} event */
  twice(event) {
    const { node, edge, frame } = this.under(/** @type {Element} */ (event.target));
    if (node) this.write(node); else if (!edge && !frame && this.shown()) this.addNode(this.point(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) { if (!(event.ctrlKey || event.metaKey)) event.stopPropagation(); return; }
    if ((event.ctrlKey || event.metaKey) && event.key === 'z') { event.preventDefault(); this.undo(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { node, edge, frame, proposed } = this.under(/** @type {Element} */ (target)), place = this.places.get(this.name)?.get(node), first = node ? this.conditions().find(one => one.place?.node === node && one.place.missing)?.place?.missing : null;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && node && place) { this.places.get(this.name)?.set(node, [place[0] + way[0] * NUDGE, place[1] + way[1] * NUDGE]); this.draw(); }
    else if (proposed && ['Enter', ' '].includes(event.key)) this.accept(proposed);
    else if (event.key === 'p' && first) this.connect(...first);
    else if (event.key === 'Enter' && node && this.begun) { const from = this.begun; this.begun = ''; this.connect(from, node); }
    else if (event.key === 'Enter' && node) { this.select({ node }); this.write(node); }
    else if ((event.key === 'Enter' || event.key === ' ') && (edge || frame || node)) this.select(node ? { node } : edge ? { edge: /** @type {[string, string]} */ (edge.split(' ')) } : { frame });
    else if ((event.key === 'Delete' || event.key === 'Backspace') && (node || edge)) { this.select(node ? { node } : { edge: /** @type {[string, string]} */ (edge.split(' ')) }); this.remove(); }
    else if (event.key === 'e' && node) { this.select({ node }); this.begun = node; this.draw(); }
    else if (event.key === 'n' && this.shown()) this.addNode(null);
    else if (event.key === 'Escape') { this.begun = ''; this.select(null); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
customElements.define('weave-diagram', DiagramEditor);
