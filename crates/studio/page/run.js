// @ts-check
/** A run as data for the eye: steps folded into groups, lanes in the order in which messages go the shortest way, the state after each step. */

/** @typedef {{name: string, before: string, after: string}} Change */
/** @typedef {{file: string, line: number, column: number}} Place */
/** @typedef {{actor: number, text: string, location: Place | null}} Statement */
/** @typedef {{kind: string, from: number | null, to: number | null, channel: string, message: string, sent_at?: number | null}} Exchange */
/** A condition with its value, and the parts that decide it. @typedef {{text: string, value: string, parts: Valued[]}} Valued */
/** @typedef {{actor: number, statements: Statement[], exchanges: Exchange[], born: number[], ended: number[], changes: Change[], printed: string[] | string, fault: string | null, why?: Valued, atomic: boolean, stack?: {function: string, file: string, line: number}[], operation?: string, object?: string}} Step */
/** @typedef {{what: string, object: string, value: string | null, actors: number[], tie: string}} Need */
/** @typedef {{actor: number, statements: Statement[], valid_end: boolean, needs?: Need[]}} Waiting */
/** @typedef {{actor: number | null, who: string, access: string, object: string, stack: {function: string, file: string, line: number}[], source: string | null}} Side */
/** @typedef {{name: string, half: boolean}} Mark */
/** The objects of a state. @typedef {{nodes: {name: string, thread: boolean, summary: boolean, marks: Mark[]}[], edges: {from: number, to: number, name: string, half: boolean}[], facts: Mark[]}} Heap */
/** A part of a formula along a run: a letter for each state, `1`, `0` or `-`. @typedef {{text: string, depth: number, truth: string}} Row */
/** @typedef {{actors: {pid: number, name: string}[], initial: Record<string, string>, steps: Step[], ending: {kind?: string, loop_start?: number, message?: string} | null, waiting: Waiting[], race?: Side[], heaps?: Heap[]}} Trace */
/** @typedef {{who: string, statements: Statement[], changes?: Change[], fault: string | null}} Move */
/** @typedef {{enabled: number, taken: number | null}} Choice */
/** @typedef {{steps: number, status: string, state: Record<string, string>, moves: Move[]}} Frame */
/** A row of the chart: a message, or what one process does alone. @typedef {{first: number, last: number, actor: number, exchange: Exchange | null, net: Change[], fault: string | null, text: string, printed: string}} Group */

/** The statements of a group are told up to about this length. */
const LONG = 44;
/** States are kept at every so many steps; those between follow from the changes. */
const KEPT = 128;

export class Run {
  /**
   * @param {Trace} trace @param {string} recording what the server executes again
   * @param {{title: string, property?: string, why?: string, wrong?: Place | null, kind?: string, atEnd?: Valued[], course?: Row[], abstract?: boolean}} about
   */
  constructor(trace, recording, about) {
    this.trace = trace;
    this.recording = recording;
    this.about = about;
    this.steps = trace.steps;
    this.last = trace.steps.length;
    this.groups = fold(trace.steps, trace.ending?.kind === 'lasso' ? trace.ending.loop_start : undefined);
    /** @type {Map<number, number>} */ this.groupOf = new Map();
    this.groups.forEach((group, at) => { for (let k = group.first; k <= group.last; k++) this.groupOf.set(k, at); });
    this.lanes = arrange(trace);
    /** A formula along the run. @type {Row[]} */ this.course = about.course ?? [];
    /** The objects after each step. @type {Heap[]} */ this.heaps = trace.heaps ?? [];
    /** @type {Choice[]} */ this.choices = [];
    /** @type {Record<string, string>} */ this.beginning = trace.initial;
    /** @type {Map<number, Frame>} */ this.frames = new Map();
    /** @type {Record<string, string>[]} */ this.kept = [];
    /** The state that was asked for last. @type {{at: number, state: Record<string, string>} | null} */ this.here = null;
    /** @type {Run | null} */ this.parent = null;
    this.forkedAt = 0;
    /** How it ends; a run of a program that simply ends says nothing. */ this.ending = trace.ending ?? { kind: 'end' };
    this.loop = this.ending.kind === 'lasso' ? this.ending.loop_start ?? null : null;
    /** A model with one channel needs no names of channels. */ this.channels = new Set(trace.steps.flatMap(step => step.exchanges.map(exchange => exchange.channel))).size;
    /** The actor of a label such as `P[1]`. @type {Map<string, number>} */ this.byLabel = new Map();
    trace.actors.forEach((actor, at) => { this.byLabel.set(`${actor.name}[${actor.pid}]`, at); if (!this.byLabel.has(actor.name)) this.byLabel.set(actor.name, at); });
  }

  /** What could have been chosen, and the full first state, come after the run itself. @param {Record<string, string>} beginning @param {Choice[]} choices */
  complete(beginning, choices) {
    this.beginning = beginning;
    this.choices = choices;
    this.kept = [];
    this.here = null;
  }

  /** Every variable after so many steps; not to be changed, nor kept: the next step changes it. @param {number} at @returns {Record<string, string>} */
  state(at) {
    const frame = this.frames.get(at);
    if (frame && Object.keys(frame.state).length) return frame.state;
    if (!this.here || Math.abs(this.here.at - at) > KEPT) this.here = { at, state: this.reached(at) };
    const { here } = this;
    for (; here.at < at; here.at++) for (const change of this.steps[here.at]?.changes ?? []) here.state[change.name] = change.after;
    for (; here.at > at; here.at--) for (const change of [...this.steps[here.at - 1]?.changes ?? []].reverse()) here.state[change.name] = change.before;
    return here.state;
  }

  /** Every variable after so many steps, from the nearest state that is kept. @param {number} at */
  reached(at) {
    if (!this.kept.length) this.kept.push(this.beginning);
    while (this.kept.length * KEPT <= at) {
      const from = (this.kept.length - 1) * KEPT;
      this.kept.push(this.follow(this.kept[this.kept.length - 1], from, from + KEPT));
    }
    const base = Math.floor(at / KEPT);
    return this.follow(this.kept[base], base * KEPT, at);
  }

  /** @param {Record<string, string>} state @param {number} from @param {number} to */
  follow(state, from, to) {
    const next = { ...state };
    for (let k = from; k < to && k < this.last; k++) for (const change of this.steps[k].changes) next[change.name] = change.after;
    return next;
  }

  /** Whose variable it is: an actor, or -1 for all. @param {string} name */
  owner(name) {
    const colon = name.lastIndexOf(':');
    return colon < 0 ? -1 : this.byLabel.get(name.slice(0, colon)) ?? -1;
  }

  /** Who moves: `P[1] -> Q[2]`. @param {string} who @returns {number[]} */
  actors(who) {
    return who.split(' -> ').map(one => this.byLabel.get(one) ?? -1);
  }

  /** Its name, with its number if another has the same name. @param {number} actor */
  called(actor) {
    const own = this.trace.actors[actor];
    return own && this.trace.actors.filter(other => other.name === own.name).length > 1 ? `${own.name}[${own.pid}]` : this.name(actor);
  }

  /** @param {number} actor */
  name(actor) {
    return this.trace.actors[actor]?.name ?? '?';
  }
}

/** Without its process. @param {string} name */
export const short = name => name.slice(name.lastIndexOf(':') + 1);
/** The colour of a process, wherever it is shown. @param {number} actor */
export const thread = actor => actor < 0 ? 'var(--ink-2)' : `var(--t${actor % 8})`;

/**
 * Steps folded into groups: an atomic sequence belongs to the step that opened it, steps of one process alone are one group.
 * @param {Step[]} steps @param {number} [loop] so many steps are before the loop: it begins with a group @returns {Group[]}
 */
export function fold(steps, loop) {
  /** @type {Group[]} */ const all = [];
  let open = false;
  steps.forEach((step, k) => {
    const exchange = step.exchanges[0] ?? null, last = all.at(-1);
    const alone = !!last && !exchange && !last.exchange && last.actor === step.actor && !last.fault;
    if (last && k !== loop && !step.fault && (open || alone)) last.last = k + 1;
    else all.push({ first: k + 1, last: k + 1, actor: step.actor, exchange, net: [], fault: step.fault, text: step.statements.at(0)?.text ?? '', printed: '' });
    const group = all[all.length - 1], said = step.statements.at(0)?.text ?? '';
    if (group.first <= k && group.text.length < LONG && !group.text.endsWith(said)) group.text += `; ${said}`;
    group.printed += [step.printed].flat().join('');
    for (const change of step.changes) {
      const old = group.net.find(known => known.name === change.name);
      if (old) old.after = change.after; else group.net.push({ ...change });
    }
    open = step.atomic;
  });
  for (const group of all) group.net = group.net.filter(change => change.before !== change.after);
  return all;
}

/** Those who have a lane: all, unless most are objects, which do nothing. @param {Trace} trace @returns {number[]} */
function acting(trace) {
  const all = trace.actors.map((_, actor) => actor);
  if (!trace.heaps) return all;
  const moved = new Set([...trace.steps.map(step => step.actor), ...trace.waiting.map(one => one.actor)]);
  return all.filter(actor => moved.has(actor));
}

/** So many lanes are tried in every order; more are moved one by one. */
const FEW = 7;

/** The order of the lanes in which messages go the shortest way. @param {Trace} trace @returns {number[]} */
export function arrange(trace) {
  /** @type {Map<string, number>} */ const between = new Map();
  for (const step of trace.steps) for (const { from, to } of step.exchanges) {
    if (from === null || to === null || from === undefined || to === undefined || from === to) continue;
    const pair = `${Math.min(from, to)} ${Math.max(from, to)}`;
    between.set(pair, (between.get(pair) ?? 0) + 1);
  }
  const pairs = [...between].map(([pair, weight]) => ({ ends: pair.split(' ').map(Number), weight }));
  const cost = (/** @type {number[]} */ order) => {
    const at = order.reduce((/** @type {number[]} */ all, actor, k) => { all[actor] = k; return all; }, []);
    return pairs.reduce((sum, { ends, weight }) => sum + weight * Math.abs(at[ends[0]] - at[ends[1]]), 0);
  };
  const first = acting(trace);
  if (!pairs.length) return first;
  const count = first.length;
  if (count <= FEW) return orders(first).reduce((best, order) => cost(order) < cost(best) ? order : best);
  let best = first;
  for (let better = true; better;) {
    better = false;
    for (let from = 0; from < count; from++) for (let to = 0; to < count; to++) {
      const tried = best.filter((_, k) => k !== from);
      tried.splice(to, 0, best[from]);
      if (cost(tried) < cost(best)) { best = tried; better = true; }
    }
  }
  return best;
}

/** @param {number[]} left @returns {number[][]} */
const orders = left => left.length < 2 ? [left] : left.flatMap((x, k) => orders([...left.slice(0, k), ...left.slice(k + 1)]).map(rest => [x, ...rest]));

/** What holds, or may hold. @param {Mark} mark */
export const said = mark => `${mark.name}${mark.half ? '?' : ''}`;

/** What a step makes of the objects, in words. @param {Heap | undefined} before @param {Heap} after @returns {{text: string, gone: boolean}[]} */
export function changes(before, after) {
  if (!before) return [];
  const facts = (/** @type {Heap} */ heap) => [
    ...heap.nodes.flatMap(node => node.marks.map(mark => `${node.name}: ${said(mark)}`)),
    ...heap.edges.map(edge => `${heap.nodes[edge.from]?.name}.${edge.name} → ${heap.nodes[edge.to]?.name}`), ...heap.facts.map(said)];
  const old = new Set(facts(before)), now = new Set(facts(after));
  const born = after.nodes.slice(before.nodes.length).map(node => ({ text: `new ${node.name}`, gone: false }));
  return [...born, ...[...now].filter(fact => !old.has(fact)).map(text => ({ text, gone: false })), ...[...old].filter(fact => !now.has(fact)).map(text => ({ text, gone: true }))];
}
