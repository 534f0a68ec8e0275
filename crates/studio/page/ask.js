// @ts-check
/** Requests to the studio's server: files, and questions that are answered in lines of JSON. */

/** @typedef {{path: string, kind: string, commands: string[], executes: boolean, expected: [string, string][], asks: Record<string, any> | null}} Entry */
/** @typedef {{path: string, text: string, kind: string, commands: string[], executes: boolean, stamp: string}} Opened */
/** @typedef {{event: string} & Record<string, any>} Line */

/** The key stands in the address, behind `#`. */
export const key = () => new URLSearchParams(location.hash.slice(1)).get('key') ?? '';

export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) { super(message); this.status = status; }
}

/** @param {string} path @param {RequestInit} [init] */
async function request(path, init = {}) {
  /** @type {Response} */ let response;
  try {
    response = await fetch(path, { ...init, headers: { authorization: `Bearer ${key()}` }, cache: 'no-store', redirect: 'error' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refused(0, 'weave studio does not answer any more. Is it still running?');
  }
  if (response.ok) return response;
  const said = await response.text();
  let reason = said;
  try { reason = JSON.parse(said).reason ?? said; } catch { /* it is a text already */ }
  throw new Refused(response.status, reason || `the studio answered ${response.status}`);
}

const query = (/** @type {Record<string, string>} */ values) => new URLSearchParams(values).toString();

/** @returns {Promise<{root: string, files: Entry[], all: boolean}>} */
export const files = async () => (await request('/api/files')).json();
/** @param {string} path @returns {Promise<Opened>} */
export const open = async path => (await request(`/api/file?${query({ path })}`)).json();
/** @param {string} path @returns {Promise<string>} */
export const stamp = async path => (await (await request(`/api/stamp?${query({ path })}`)).json()).stamp;
/** @param {string} path @param {string} text @param {string} stamp @returns {Promise<string>} */
export const save = async (path, text, stamp) =>
  (await (await request(`/api/file?${query({ path, stamp })}`, { method: 'PUT', body: text })).json()).stamp;

/** Asks a command to end and say what it knows. @param {string} job */
export const stop = job => request(`/api/stop?${query({ job })}`, { method: 'POST' }).catch(() => undefined);

/**
 * The lines of the answer, as they come. To abort ends the command.
 * @param {Record<string, any>} question @param {AbortSignal} [signal] @param {(job: string) => void} [started]
 * @returns {AsyncGenerator<Line>}
 */
export async function* lines(question, signal, started) {
  const response = await request('/api/ask', { method: 'POST', body: JSON.stringify(question), signal });
  started?.(response.headers.get('weave-job') ?? '');
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const parts = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part) yield JSON.parse(part);
    if (done) return;
  }
}

/** The states around one, as a picture. @param {Record<string, any>} question @returns {Promise<import('./graph.js').Picture>} */
export const graph = async question => (await request('/api/graph', { method: 'POST', body: JSON.stringify(question) })).json();

/**
 * Places for a graph that the page has. Height is steps from the first node, so those come first to which nothing leads.
 * @param {[number, number][]} sizes @param {[number, number][]} edges @returns {Promise<{nodes: [number, number][], routes: [number, number][][], size: [number, number]}>}
 */
export async function layout(sizes, edges) {
  const led = new Set(edges.filter(([from, to]) => from !== to).map(([, to]) => to)), all = sizes.map((_, k) => k);
  const order = [...all.filter(k => !led.has(k)), ...all.filter(k => led.has(k))], place = new Map(order.map((k, at) => [k, at]));
  const body = JSON.stringify({ sizes: order.map(k => sizes[k]), edges: edges.map(ends => ends.map(k => place.get(k))) });
  const found = await (await request('/api/layout', { method: 'POST', body })).json();
  return { ...found, nodes: all.map(k => found.nodes[/** @type {number} */ (place.get(k))]) };
}

/** All lines, once the command has ended. @param {Record<string, any>} question @param {AbortSignal} [signal] */
export async function all(question, signal) {
  /** @type {Line[]} */ const found = [];
  for await (const line of lines(question, signal)) found.push(line);
  return found;
}
