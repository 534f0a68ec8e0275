// @ts-check
/** A diagram as a drawing: nodes, frames of compound nodes, edges that keep clear of the other nodes. Where the nodes are is given. */

import { every, linesOf, members, words } from './diagram-text.js';
import { s } from './dom.js';
import { leave } from './curves.js';

/** @typedef {import('./diagram-text.js').Outline} Outline */
/** @typedef {import('./diagram-text.js').Part} Part */
/** @typedef {[number, number]} Point */
/** @typedef {{name: string, part: Part, around: Part[], lines: string[], size: Point, terminal: boolean, initial: boolean}} Node */
/** @typedef {{from: string, to: string, by: string, parts: Part[]}} Edge */
/** @typedef {{name: string, part: Part, depth: number, nodes: string[]}} Frame */
/** @typedef {{name: string, kind: string, proves: string[], nodes: Node[], edges: Edge[], frames: Frame[]}} Sketch */

const LETTER = 6.7, LINE = 15, LONGEST = 38, NARROWEST = 64;

/** @param {string} text */
const cut = text => text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;

/** What a diagram has, as far as a drawing shows it. @param {string} text @param {Outline} outline @returns {Sketch} */
export function sketch(text, outline) {
  const all = every(outline.parts), listed = (/** @type {string} */ word) => new Set(all.filter(({ part }) => part.part === word).flatMap(({ part }) => part.lists.flat().flatMap(one => members(outline, one.name))));
  const terminal = listed('terminal'), initial = listed('initial');
  const nodes = all.filter(({ part }) => part.part === 'node').map(({ part, around }) => {
    const rank = words(text, part.rank), label = words(text, part.label);
    const lines = [part.name.name, cut(words(text, part.assertion)), ...rank ? [cut(`rank ${rank}`)] : [], ...label ? [cut(`label ${label}`)] : []];
    /** @type {Point} */ const size = [Math.max(NARROWEST, Math.max(...lines.map(line => line.length)) * LETTER + 26), lines.length * LINE + 14];
    return { name: part.name.name, part, around, lines, size, terminal: terminal.has(part.name.name), initial: initial.has(part.name.name) };
  });
  /** @type {Map<string, Edge>} */ const edges = new Map();
  for (const { part } of all) {
    if (part.part !== 'edge') continue;
    for (const from of part.from.flatMap(one => members(outline, one.name))) for (const to of part.to.flatMap(one => members(outline, one.name))) {
      const parts = linesOf(outline, from, to);
      edges.set(`${from} ${to}`, { from, to, parts, by: [...new Set(parts.map(one => words(text, one.by)).filter(Boolean))].join(', ') });
    }
  }
  const frames = all.filter(({ part }) => part.part === 'compound').map(({ part, around }) => ({ name: part.name.name, part, depth: around.length, nodes: members(outline, part.name.name) }));
  return { name: outline.name.name, kind: outline.kind.name, proves: outline.proves.length ? outline.proves.map(one => one.name) : [outline.name.name], nodes, edges: [...edges.values()], frames };
}

/** The edges that say how low a node stands: below all that lead to it, but for those that lead back. @param {Sketch} diagram */
export function tight(diagram) {
  const next = new Map(diagram.nodes.map(node => [node.name, diagram.edges.filter(edge => edge.from === node.name && edge.to !== node.name)])), done = new Set(), open = new Set();
  /** @type {string[]} */ const order = [];
  /** @type {Edge[]} */ const down = [];
  const visit = (/** @type {string} */ name) => {
    if (done.has(name)) return;
    done.add(name);
    open.add(name);
    for (const edge of next.get(name) ?? []) if (!open.has(edge.to)) { down.push(edge); visit(edge.to); }
    open.delete(name);
    order.unshift(name);
  };
  for (const node of diagram.nodes) visit(node.name);
  /** @type {Map<string, number>} */ const level = new Map();
  for (const name of order) { const own = level.get(name) ?? 0; for (const edge of down.filter(one => one.from === name)) level.set(edge.to, Math.max(level.get(edge.to) ?? 0, own + 1)); }
  return down.filter(edge => level.get(edge.to) === (level.get(edge.from) ?? 0) + 1);
}

/** Is a point inside of a node? @param {Point} point @param {Point} at @param {Point} size @param {number} room */
const inside = ([x, y], at, size, room) => Math.abs(x - at[0]) < size[0] / 2 + room && Math.abs(y - at[1]) < size[1] / 2 + room;
/** @param {Point} a @param {Point} control @param {Point} b @param {number} t @returns {Point} */
const on = (a, control, b, t) => { const at = (/** @type {number} */ k) => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * control[k] + t ** 2 * b[k]; return [at(0), at(1)]; };

/** The ways that are tried to go round other nodes. */
const BENDS = [0, 36, -36, 90, -90, 170, -170, 260, -260, 350, -350, 450, -450, 560, -560];

/** A curve between two nodes that keeps clear of the others: its ends, its control point. @param {Sketch} diagram @param {Map<string, Point>} places @param {Edge} edge */
export function route(diagram, places, edge) {
  const from = places.get(edge.from) ?? [0, 0], to = places.get(edge.to) ?? [0, 0], [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy) || 1;
  const size = (/** @type {string} */ name) => diagram.nodes.find(node => node.name === name)?.size ?? [0, 0], back = diagram.edges.some(other => other.from === edge.to && other.to === edge.from);
  const control = (/** @type {number} */ bend) => /** @type {Point} */ ([(from[0] + to[0]) / 2 - dy / length * bend, (from[1] + to[1]) / 2 + dx / length * bend]);
  const free = (/** @type {number} */ bend) => diagram.nodes.every(node => node.name === edge.from || node.name === edge.to || ![.15, .3, .4, .5, .6, .7, .85].some(t => inside(on(from, control(bend), to, t), places.get(node.name) ?? [0, 0], node.size, 6)));
  const bends = back ? BENDS.slice(1) : BENDS, turn = control(bends.find(free) ?? bends[0]);
  return { a: leave(from, turn, size(edge.from)), b: leave(to, turn, size(edge.to)), turn };
}

/** An edge with its label. @param {Sketch} diagram @param {Map<string, Point>} places @param {Edge} edge @param {string} status @param {boolean} selected */
export function drawEdge(diagram, places, edge, status, selected) {
  const shown = { class: `edge ${status}${selected ? ' selected' : ''}`, tabindex: 0, role: 'button', 'data-edge': `${edge.from} ${edge.to}`, 'aria-label': `Edge from ${edge.from} to ${edge.to}${edge.by ? ` by ${edge.by}` : ''}: ${status}` };
  if (edge.from === edge.to) {
    const at = places.get(edge.from) ?? [0, 0], node = diagram.nodes.find(one => one.name === edge.from), x = at[0] + (node?.size[0] ?? 0) / 2, y = at[1];
    const path = `M${x},${y - 8} c34,-16 34,32 3,16`;
    return s('g', shown, s('path', { class: 'wide-hit', d: path }), s('path', { d: path }), s('path', { class: 'tip', d: `M${x},${y + 7} l9,-2 l-5,7 z` }), label(edge.by, [x + 36, y + 4]));
  }
  const { a, b, turn } = route(diagram, places, edge), path = `M${a} Q${turn} ${b}`, angle = Math.atan2(b[1] - turn[1], b[0] - turn[0]) * 180 / Math.PI;
  return s('g', shown, s('path', { class: 'wide-hit', d: path }), s('path', { d: path }), s('path', { class: 'tip', d: 'M0,0 l-9,-4.5 v9 z', transform: `translate(${b}) rotate(${angle})` }), label(edge.by, on(a, turn, b, .5)));
}

/** An edge that the diagram lacks: with it, a step would be allowed. @param {Sketch} diagram @param {Map<string, Point>} places @param {string} from @param {string} to */
export function drawProposed(diagram, places, from, to) {
  const { a, b, turn } = route(diagram, places, { from, to, by: '', parts: [] }), path = `M${a} Q${turn} ${b}`, angle = Math.atan2(b[1] - turn[1], b[0] - turn[0]) * 180 / Math.PI;
  return s('g', { class: 'edge proposed', tabindex: 0, role: 'button', 'data-proposed': `${from} ${to}`, 'aria-label': `Draw the edge from ${from} to ${to}: it would allow the step` }, s('title', {}, 'This edge would allow the step: press to draw it'),
    s('path', { class: 'wide-hit', d: path }), s('path', { d: path }), s('path', { class: 'tip', d: 'M0,0 l-9,-4.5 v9 z', transform: `translate(${b}) rotate(${angle})` }));
}

/** @param {string} text @param {Point} at */
const label = (text, [x, y]) => text ? s('text', { x, y: y + 4, class: 'by' }, cut(text)) : null;

/** A node; the point below it is where an edge is begun. @param {Node} node @param {Point} at @param {string} status @param {{selected: boolean, wrong: boolean}} how */
export function drawNode(node, at, status, { selected, wrong }) {
  const [width, height] = node.size, top = -(node.lines.length - 1) * LINE / 2 + 4;
  const words = `Node ${node.lines.join(', ')}${node.terminal ? ', a goal' : ''}${node.initial ? ', initial' : ''}: ${wrong ? 'a mistake' : status}`;
  return s('g', { class: `state node ${status}${node.terminal ? ' terminated' : ''}${selected ? ' selected' : ''}${wrong ? ' wrong' : ''}`, tabindex: 0, role: 'button', 'data-node': node.name, 'aria-label': words, transform: `translate(${at})` },
    s('title', {}, node.lines.join('\n')), s('rect', { x: -width / 2, y: -height / 2, width, height, rx: 8 }), node.terminal ? s('rect', { class: 'goal', x: -width / 2 + 3, y: -height / 2 + 3, width: width - 6, height: height - 6, rx: 6 }) : null,
    node.initial ? s('path', { class: 'begin', d: `M${-width / 2 - 18},0 h14 m-5,-4 l5,4 l-5,4` }) : null,
    ...node.lines.map((line, k) => s('text', { y: top + k * LINE, class: k ? line.startsWith('rank ') || line.startsWith('label ') ? 'less' : '' : 'name' }, line)),
    s('circle', { class: 'port', cy: height / 2, r: 6, 'data-port': node.name }, s('title', {}, 'Drag from here to draw an edge')));
}

/** A frame round the nodes of a compound node; nothing where others would be inside. @param {Sketch} diagram @param {Map<string, Point>} places @param {Frame} frame @param {string} assertion @param {boolean} selected */
export function drawFrame(diagram, places, frame, assertion, selected) {
  const room = 16 + 16 * Math.max(0, ...diagram.frames.filter(other => other !== frame && other.nodes.every(node => frame.nodes.includes(node))).map(other => other.depth - frame.depth));
  const own = diagram.nodes.filter(node => frame.nodes.includes(node.name)), sides = own.map(node => { const [x, y] = places.get(node.name) ?? [0, 0]; return [x - node.size[0] / 2, y - node.size[1] / 2, x + node.size[0] / 2, y + node.size[1] / 2]; });
  if (!sides.length) return null;
  const [left, up, right, down] = [0, 1, 2, 3].map(k => k < 2 ? Math.min(...sides.map(side => side[k])) - room : Math.max(...sides.map(side => side[k])) + room);
  const strange = diagram.nodes.some(node => { const [x, y] = places.get(node.name) ?? [0, 0]; return !frame.nodes.includes(node.name) && x > left && x < right && y > up && y < down; });
  const text = `${frame.name}${assertion ? `: ${cut(assertion)}` : ''}`;
  return s('g', { class: `frame${strange ? ' loose' : ''}${selected ? ' selected' : ''}`, tabindex: 0, role: 'button', 'data-frame': frame.name, 'aria-label': `Compound node ${text} with ${frame.nodes.join(', ')}` },
    strange ? s('title', {}, 'Other nodes lie between those of this compound node: move them, or lay out again') : null,
    s('rect', { x: left, y: up - 14, width: Math.max(right - left, text.length * LETTER + 20), height: down - up + 14, rx: 12 }), s('text', { x: left + 10, y: up + 1, class: 'less' }, text));
}
