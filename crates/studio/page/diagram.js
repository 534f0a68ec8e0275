// @ts-check
/** A verification diagram: nodes with their assertions, and what became of each condition, by colour. */

import * as ask from './ask.js';
import { fill, h, s } from './dom.js';
import { curve, tip } from './curves.js';

/** @typedef {{name: string, assertion: string, rank: string[], label: string | null, initial: boolean, terminal: boolean, status: string}} Node */
/** @typedef {{name: string, property: string, kind: string, status: string, nodes: Node[], edges: {from: string, to: string, by: string[], status: string}[]}} Diagram */

const LETTER = 6.7, LINE = 15, LONGEST = 34, MARGIN = 30;

/** @param {string} text */
const cut = text => text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;

/** @param {Diagram} diagram @returns {HTMLElement} */
export function drawn(diagram) {
  const holder = h('div', { class: 'diagram' });
  const lines = diagram.nodes.map(node => [node.name, cut(node.assertion), ...(node.rank.length ? [cut(`rank ${node.rank.join(', ')}`)] : [])]);
  /** @type {[number, number][]} */ const sizes = lines.map(all => [Math.max(...all.map(line => line.length)) * LETTER + 20, all.length * LINE + 12]);
  const number = new Map(diagram.nodes.map((node, k) => [node.name, k]));
  const edges = diagram.edges.filter(edge => number.has(edge.from) && number.has(edge.to));
  const ends = edges.map(edge => /** @type {[number, number]} */ ([number.get(edge.from), number.get(edge.to)]));
  ask.layout(sizes, ends).then(({ nodes, routes, size }) => {
    const wide = size[0] + 2 * MARGIN, high = size[1] + 2 * MARGIN;
    fill(holder, s('svg', { class: 'states', width: wide, height: high, viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, role: 'img', 'aria-label': `Diagram ${diagram.name}` },
      ...edges.map((edge, k) => s('g', { class: `edge ${edge.status}` }, s('title', {}, `${edge.from} → ${edge.to}: ${edge.by.join(', ') || 'any transition'}, ${edge.status}`), s('path', { d: curve(routes[k], sizes[ends[k][0]], sizes[ends[k][1]]) }), tip(routes[k], sizes[ends[k][1]]))),
      ...diagram.nodes.map((node, k) => s('g', { class: `state ${node.status}${node.terminal ? ' terminated' : ''}`, transform: `translate(${nodes[k][0]} ${nodes[k][1]})` },
        s('title', {}, `${node.name}: ${node.assertion}, ${node.status}`), s('rect', { x: -sizes[k][0] / 2, y: -sizes[k][1] / 2, width: sizes[k][0], height: sizes[k][1], rx: 7 }),
        ...lines[k].map((line, n) => s('text', { x: 0, y: -(lines[k].length - 1) * LINE / 2 + n * LINE + 4, class: n ? '' : 'name' }, line))))));
  }).catch(error => fill(holder, String(error.message ?? error)));
  return holder;
}
