// @ts-check
/** Lines between the nodes of a picture, and their tips. */

import { s } from './dom.js';

/** Where a line from the middle of a node leaves it. @param {[number, number]} from @param {[number, number]} to @param {[number, number]} size @returns {[number, number]} */
export function leave(from, to, size) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], share = Math.min(size[0] / 2 / Math.max(Math.abs(dx), .01), size[1] / 2 / Math.max(Math.abs(dy), .01));
  return share >= 1 ? from : [from[0] + dx * share, from[1] + dy * share];
}

/** @param {[number, number][]} route @param {[number, number]} from @param {[number, number]} to */
function ends(route, from, to) {
  const last = route.length - 1;
  if (last < 1) return route;
  return [leave(route[0], route[1], from), ...route.slice(1, last), leave(route[last], route[last - 1], to)];
}

/** A smooth line through the points; a step to the same state is a loop beside it. @param {[number, number][]} route @param {[number, number]} from @param {[number, number]} to */
export function curve(route, from, to) {
  const [x, y] = route[0];
  if (route.length < 2) { const right = x + from[0] / 2; return `M${right},${y - 7} c26,-14 26,28 0,14`; }
  if (route.length === 2 && Math.abs(route[0][1] - route[1][1]) < 1) {
    const [a, b] = ends(route, from, to);
    return `M${a[0]},${a[1]} Q${(a[0] + b[0]) / 2},${a[1] - 30} ${b[0]},${b[1]}`;
  }
  const points = ends(route, from, to);
  return points.slice(1).reduce((path, [px, py], k) => { const [qx, qy] = points[k], middle = (qy + py) / 2; return `${path} C${qx},${middle} ${px},${middle} ${px},${py}`; }, `M${points[0][0]},${points[0][1]}`);
}

/** @param {[number, number][]} route @param {[number, number]} to */
export function tip(route, to) {
  if (route.length < 2) return s('path', { class: 'tip', d: `M${route[0][0] + to[0] / 2},${route[0][1] + 7} l9,-2 l-5,7 z` });
  const last = route[route.length - 1], before = route[route.length - 2], [x, y] = leave(last, before, to), flat = Math.abs(last[1] - before[1]) < 1;
  const angle = flat ? (last[0] > before[0] ? 55 : 125) : last[1] > before[1] ? 90 : -90;
  return s('path', { class: 'tip', d: 'M0,0 l-8,-4 v8 z', transform: `translate(${x} ${y}) rotate(${angle})` });
}
