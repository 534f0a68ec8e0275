// @ts-check
/**
 * Changes to the text of a diagram. The text is the truth: a change touches the words that it must and nothing else, so comments, the order
 * and the layout of the lines stay as they are. Where the parts of a diagram stand is for `weave prove --outline` to say.
 */

/** @typedef {[number, number]} Place */
/** @typedef {{name: string, place: Place}} Named */
/** @typedef {{part: string, place: Place, name: Named, assertion: Place | null, rank: Place | null, label: Place | null, parts: Part[], from: Named[], to: Named[], by: Place | null, lists: Named[][]}} Part */
/** @typedef {{file: string, name: Named, kind: Named, proves: Named[], parts: Part[], body: Place, place: Place}} Outline */
/** @typedef {{at: Place, to: string}} Change */

/** Places are bytes in an answer, and letters in a text here. @param {string} text @param {Outline[]} outlines */
export function inLetters(text, outlines) {
  const bytes = new TextEncoder().encode(text), plain = bytes.length === text.length, decoder = new TextDecoder();
  const letter = (/** @type {number} */ byte) => plain ? byte : decoder.decode(bytes.subarray(0, byte)).length;
  return /** @type {Outline[]} */ (JSON.parse(JSON.stringify(outlines), (key, value) => ['place', 'body', 'assertion', 'rank', 'label', 'by'].includes(key) && value ? [letter(value[0]), letter(value[1])] : value));
}

/** All changes at once. @param {string} text @param {Change[]} changes */
const apply = (text, changes) => [...changes].sort((a, b) => b.at[0] - a.at[0] || b.at[1] - a.at[1]).reduce((now, { at, to }) => now.slice(0, at[0]) + to + now.slice(at[1]), text);

/** @param {string} text @param {Place | null} place */
export const words = (text, place) => place ? text.slice(place[0], place[1]) : '';

/** All parts, those inside of compound nodes too, with what is around them. @param {Part[]} parts @param {Part[]} [around] @returns {{part: Part, around: Part[]}[]} */
export const every = (parts, around = []) => parts.flatMap(part => [{ part, around }, ...every(part.parts ?? [], [...around, part])]);

/** The nodes that a name stands for. @param {Outline} outline @param {string} name @returns {string[]} */
export function members(outline, name) {
  const nodes = (/** @type {Part[]} */ parts) => every(parts).filter(({ part }) => part.part === 'node').map(({ part }) => part.name.name);
  const found = every(outline.parts).find(({ part }) => part.name?.name === name)?.part;
  return !found ? [] : found.part === 'node' ? [name] : nodes(found.parts);
}

/** @param {Outline} outline @param {Named[]} names */
const spread = (outline, names) => [...new Set(names.flatMap(({ name }) => members(outline, name)))];
/** Whether an edge part has this edge. @param {Outline} outline @param {Part} part @param {string} from @param {string} to */
const leads = (outline, part, from, to) => part.part === 'edge' && spread(outline, part.from).includes(from) && spread(outline, part.to).includes(to);
/** The parts that have this edge. @param {Outline} outline @param {string} from @param {string} to */
export const linesOf = (outline, from, to) => every(outline.parts).map(({ part }) => part).filter(part => leads(outline, part, from, to));
/** How many edges a part has. @param {Outline} outline @param {Part} part */
export const count = (outline, part) => spread(outline, part.from).length * spread(outline, part.to).length;

// ---- lines ----

/** The white space that a line begins with. @param {string} text @param {number} at */
const indent = (text, at) => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

/** Takes a part away, with its line if nothing else stands there. @param {string} text @param {Place} place @returns {Change} */
function without(text, [start, end]) {
  const first = text.lastIndexOf('\n', start - 1) + 1, next = text.indexOf('\n', end), last = next < 0 ? text.length : next + 1;
  const alone = !text.slice(first, start).trim() && !text.slice(end, last).trim();
  return alone ? { at: [first, last], to: '' } : { at: [start, end], to: '' };
}

/** A line behind a place. @param {string} text @param {number} at @param {string} line @param {string} space @returns {Change} */
function behind(text, at, line, space) {
  const end = text.indexOf('\n', at), rest = text.slice(at, end < 0 ? text.length : end);
  if (/^\s*(\/\/.*|#.*|\(\*.*\*\)\s*)?$/.test(rest) && end >= 0) return { at: [end + 1, end + 1], to: `${space}${line}\n` };
  return { at: [at, at], to: `\n${space}${line}\n` };
}

/** A new line of a diagram: behind the last part of these kinds, or else at its end, or at its beginning. @param {string} text @param {Outline} outline @param {string[]} kinds @param {string} line */
function added(text, outline, kinds, line) {
  const own = outline.parts.filter(part => kinds.includes(part.part)), part = own.at(-1) ?? (kinds.includes('node') ? undefined : outline.parts.at(-1));
  return part ? behind(text, part.place[1], line, indent(text, part.place[0])) : behind(text, outline.body[0] + 1, line, `${indent(text, outline.place[0])}  `);
}

/** @param {string} text @param {Outline} outline @param {string[]} kinds @param {string} line */
const add = (text, outline, kinds, line) => apply(text, [added(text, outline, kinds, line)]);

/** The names of a list but for one; a compound node that has it becomes the others. @param {Outline} outline @param {Named[]} list @param {string} name */
const others = (outline, list, name) => list.flatMap(one => one.name === name ? [] : members(outline, one.name).includes(name) ? members(outline, one.name).filter(node => node !== name) : [one.name]);
/** @param {Named[]} list @returns {Place} */
const across = list => [list[0].place[0], list[list.length - 1].place[1]];

// ---- nodes ----

/** A name that no node has yet: the next number. @param {Outline} outline */
export function fresh(outline) {
  const taken = every(outline.parts).flatMap(({ part }) => part.name ? [part.name.name] : []), numbers = taken.map(Number).filter(Number.isInteger);
  return String(numbers.length ? Math.max(...numbers) + 1 : taken.includes('0') ? taken.length : 0);
}

/** @param {string} text @param {Outline} outline @param {string} name @param {string} assertion */
export const addNode = (text, outline, name, assertion) => add(text, outline, ['node', 'compound'], `node ${name} : ${assertion}`);

/** Gives a part another assertion, rank, label, or other transitions; nothing takes them away. @param {string} text @param {Part} part @param {'assertion' | 'rank' | 'label' | 'by'} field @param {string} value */
export function setField(text, part, field, value) {
  const now = part[field], given = value.trim().replace(/\s*\n\s*/g, ' ');
  if (field === 'assertion' && now) return apply(text, [{ at: now, to: given || 'true' }]);
  if (field === 'assertion') return given ? apply(text, [{ at: [part.name.place[1], part.name.place[1]], to: ` : ${given}` }]) : text;
  const before = field === 'by' ? part.to[part.to.length - 1].place[1] : field === 'label' ? part.rank?.[1] ?? part.assertion?.[1] : part.assertion?.[1];
  if (before === undefined) return text;
  if (now) return apply(text, [given ? { at: now, to: given } : { at: [before, now[1]], to: '' }]);
  return given ? apply(text, [{ at: [before, before], to: ` ${field} ${given}` }]) : text;
}

/** @param {string} text @param {Outline} outline @param {string} old @param {string} name */
export function rename(text, outline, old, name) {
  const all = every(outline.parts).flatMap(({ part }) => [...part.name ? [part.name] : [], ...part.from ?? [], ...part.to ?? [], ...(part.lists ?? []).flat()]);
  return apply(text, all.filter(one => one.name === old).map(({ place }) => ({ at: place, to: name })));
}

/** Takes a node away, and all that leads to it or from it. @param {string} text @param {Outline} outline @param {string} name */
export function removeNode(text, outline, name) {
  const changes = every(outline.parts).flatMap(({ part }) => {
    if (part.part === 'node') return part.name.name === name ? [without(text, part.place)] : [];
    const lists = part.part === 'edge' ? [part.from, part.to] : ['initial', 'terminal', 'accept'].includes(part.part) ? part.lists : [];
    const hit = lists.filter(list => list.some(one => one.name === name));
    if (!hit.length) return [];
    const empty = hit.some(list => list.every(one => one.name === name));
    return empty && part.part !== 'accept' ? [without(text, part.place)] : hit.map(list => ({ at: across(list), to: list.filter(one => one.name !== name).map(one => one.name).join(', ') }));
  });
  return apply(text, changes);
}

/** Makes a node a goal or a beginning, or takes that away. @param {string} text @param {Outline} outline @param {'terminal' | 'initial'} word @param {string} name @param {boolean} on */
export function mark(text, outline, word, name, on) {
  const parts = every(outline.parts).map(({ part }) => part).filter(part => part.part === word), has = parts.filter(part => part.lists[0].some(one => members(outline, one.name).includes(name)));
  if (on) {
    const list = parts.at(-1)?.lists[0];
    return list?.length ? apply(text, [{ at: [across(list)[1], across(list)[1]], to: `, ${name}` }]) : add(text, outline, ['node', 'compound', word], `${word} ${name}`);
  }
  return apply(text, has.map(part => { const left = others(outline, part.lists[0], name); return left.length ? { at: across(part.lists[0]), to: left.join(', ') } : without(text, part.place); }));
}

// ---- compound nodes ----

/** Puts a node into a new compound node. @param {string} text @param {Outline} outline @param {Part} node @param {string} name */
export function frame(text, outline, node, name) {
  const space = indent(text, node.place[0]);
  return apply(text, [{ at: node.place, to: `compound ${name} : true {\n${space}  ${words(text, node.place)}\n${space}}` }]);
}

/** Puts a node into a compound node, or out of all. @param {string} text @param {Outline} outline @param {Part} node @param {string | null} into */
export function move(text, outline, node, into) {
  const line = words(text, node.place), compound = every(outline.parts).find(({ part }) => part.part === 'compound' && part.name.name === into)?.part;
  if (!compound) {
    const last = outline.parts.filter(part => part.part === 'node' || part.part === 'compound').at(-1);
    return last ? apply(text, [without(text, node.place), behind(text, last.place[1], line, indent(text, last.place[0]))]) : text;
  }
  const closing = compound.place[1] - 1, start = text.lastIndexOf('\n', closing) + 1, alone = !text.slice(start, closing).trim(), space = `${indent(text, compound.place[0])}  `;
  return apply(text, [without(text, node.place), alone ? { at: [start, start], to: `${space}${line}\n` } : { at: [closing, closing], to: ` ${line} ` }]);
}

/** Takes a compound node away; what is inside stays, and its edges become those of the nodes inside. @param {string} text @param {Outline} outline @param {Part} compound */
export function unframe(text, outline, compound) {
  const open = text.indexOf('{', (compound.assertion ?? compound.name.place)[1]), name = compound.name.name, inside = members(outline, name).join(', ');
  const names = every(outline.parts).flatMap(({ part }) => [...part.from ?? [], ...part.to ?? [], ...(part.lists ?? []).flat()]).filter(one => one.name === name);
  return apply(text, [without(text, [compound.place[0], open + 1]), without(text, [compound.place[1] - 1, compound.place[1]]), ...names.map(({ place }) => ({ at: place, to: inside }))]);
}

// ---- edges ----

/** @param {string} from @param {string} to @param {string} by */
const edgeLine = (from, to, by) => `edge ${from} -> ${to}${by ? ` by ${by}` : ''}`;

/** @param {string} text @param {Outline} outline @param {string} from @param {string} to @param {string} [by] */
export const addEdge = (text, outline, from, to, by = '') => add(text, outline, ['edge'], edgeLine(from, to, by));

/** Takes one edge away; the others of its line stay. @param {string} text @param {Outline} outline @param {string} from @param {string} to */
export const removeEdge = (text, outline, from, to) => apply(text, removed(text, outline, from, to));

/** Gives an edge a line of its own. @param {string} text @param {Outline} outline @param {string} from @param {string} to */
export function alone(text, outline, from, to) {
  const by = [...new Set(linesOf(outline, from, to).map(part => words(text, part.by)).filter(Boolean))].join(', ');
  return apply(text, [...removed(text, outline, from, to), added(text, outline, ['edge'], edgeLine(from, to, by))]);
}

/** @param {string} text @param {Outline} outline @param {string} from @param {string} to @returns {Change[]} */
function removed(text, outline, from, to) {
  return linesOf(outline, from, to).map(part => {
    if (count(outline, part) === 1) return without(text, part.place);
    const sources = spread(outline, part.from), by = part.by ? words(text, part.by) : '', rest = others(outline, part.to, to);
    if (sources.length === 1) return { at: across(part.to), to: rest.join(', ') };
    if (!rest.length) return { at: across(part.from), to: others(outline, part.from, from).join(', ') };
    const list = words(text, across(part.to)), space = indent(text, part.place[0]);
    return { at: part.place, to: `${edgeLine(others(outline, part.from, from).join(', '), list, by)}\n${space}${edgeLine(from, rest.join(', '), by)}` };
  });
}
