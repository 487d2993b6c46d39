// The part of a page that shows the table: fetched, and its seconds.

import { ask, parse } from "./ask.js";

/** Milliseconds in which the table comes: it changes quickly. */
const LIMIT = 5000;

/**
 * Raises an error where the page's program does not answer with a table.
 * @param {string} address
 * @returns {Promise<HTMLElement>} the table, in a document of its own
 */
export async function fetchNow(address) {
  const answer = await ask(address, {}, LIMIT);
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = parse(answer.text).querySelector("#now");
  if (!(fresh instanceof HTMLElement)) throw new Error("no table");
  return fresh;
}

/**
 * Have an element say how many seconds are left of what it counts: rounded up, as `whole_seconds` in Python does.
 * @param {Element} each with the game's time of its end in ``data-until``; its earliest and its latest where that is
 *   in doubt, which is said as `sand_words` does
 * @param {number} t the game's time
 * @returns {number} the seconds left, at least
 */
export function countDown(each, t) {
  const ends = (each.getAttribute("data-until") ?? "").split(" ").map(Number);
  const [low, high = low] = ends.map((end) => Math.ceil(Math.round(Math.max(0, end - t) * 1000) / 1000));
  setText(each, high - low <= 1 ? String(low) : `${low}–${high}`);
  return Math.max(0, ends[0] - t);
}

/**
 * Have an element say something in the node that it has: seconds change for minutes, and nothing piles up.
 * @param {Element} element
 * @param {string} words
 */
export function setText(element, words) {
  const text = element.firstChild;
  if (!(text instanceof Text) || text.nextSibling) element.textContent = words;
  else if (text.data !== words) text.data = words;
}
