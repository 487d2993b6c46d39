// All boards of a hall at a glance: each event has them all, and what differs is written into what is there.

import { follow, on } from "./line.js";
import { setText } from "./now.js";

/** @typedef {{tube: string, state: string, clock: string}} Glass */
/** @typedef {{name: string, left: number, status: string, glasses: Glass[]}} Side */
/** @typedef {{turn: number, headline: string, result: string, timer: {against: string, seconds: number} | null, red: Side, black: Side}} Table */
/** @typedef {{board: string, online: boolean, understood: boolean, call: string | null, taken_by: string | null, table: Table | null}} Tile */

/** Lines for boards that call; the last has the names of those that are left. Who is signed in sees all. */
const CALLS = 3;

const main = /** @type {HTMLElement} */ (document.querySelector("#content"));
const list = /** @type {HTMLElement} */ (document.querySelector("#boards"));
const calls = /** @type {HTMLElement} */ (document.querySelector("#calls"));
const template = /** @type {HTMLTemplateElement} */ (document.querySelector("#tile"));
const line = /** @type {HTMLTemplateElement} */ (document.querySelector("#call"));

/** Tiles by their boards, with what each shows. @type {Map<string, {tile: HTMLElement, shown: string}>} */
const tiles = new Map();

/** @param {string} board @returns {HTMLElement} */
function tileOf(board) {
  const there = list.querySelector(`[data-board="${CSS.escape(board)}"]`);
  if (there instanceof HTMLElement) return there;
  const made = /** @type {HTMLElement} */ (document.importNode(template.content, true).querySelector("li"));
  made.dataset.board = board;
  const link = /** @type {HTMLAnchorElement} */ (made.querySelector("a"));
  link.href = `/boards/${encodeURIComponent(board)}`;
  setText(/** @type {Element} */ (made.querySelector("h2")), board);
  list.append(made);
  return made;
}

/** @param {HTMLElement} tile @param {string} selector @param {string} words */
function write(tile, selector, words) {
  setText(/** @type {Element} */ (tile.querySelector(selector)), words);
}

/** @param {Tile} board @returns {string} who has taken its call */
function taken(board) {
  return board.taken_by ? (main.dataset.taken ?? "").replace("{}", board.taken_by) : "";
}

/** @param {Element} shown @param {Tile[]} boards one that calls, or the names of those that are left */
function showCall(shown, [board, ...others]) {
  const link = /** @type {HTMLAnchorElement} */ (shown.querySelector("a"));
  link.href = others.length ? "/" : `/boards/${encodeURIComponent(board.board)}/arbiter`;
  setText(link, others.length ? [board, ...others].map((each) => each.board).join(", ") : `${board.board}: ${board.table?.headline ?? ""}`);
  setText(/** @type {Element} */ (shown.querySelector("b")), others.length ? "" : taken(board));
  const button = shown.querySelector("button");
  if (button) {
    button.value = board.call ?? "";
    button.hidden = Boolean(board.taken_by);
  }
}

/** @param {Tile} board one that has changed is written anew */
function show(board) {
  const known = tiles.get(board.board) ?? { tile: tileOf(board.board), shown: "" };
  const isMany = list.dataset.many === "true";
  const shown = JSON.stringify([isMany, board]);
  if (known.shown === shown) return;
  tiles.set(board.board, { tile: known.tile, shown });
  const { tile } = known;
  const { table } = board;
  tile.className = [board.online ? "" : "offline", board.call ? "asks" : ""].join(" ").trim();
  let state = "";
  if (!board.online) state = main.dataset.offline ?? "";
  else if (!board.understood) state = main.dataset.unknown ?? "";
  else if (!table) state = main.dataset.waiting ?? "";
  const taker = isMany && board.taken_by; // there is no news
  write(tile, ".when", state || taker || (table?.timer ? `${table.timer.seconds}` : ""));
  write(tile, ".news", taken(board) || (table ? table.result || table.headline : ""));
  for (const [player, side] of Object.entries({ red: table?.red, black: table?.black })) {
    const row = /** @type {HTMLElement} */ (tile.querySelector(`.${player}`));
    row.classList.toggle("on-move", Boolean(side?.status));
    write(row, ".player", side?.name ?? "");
    write(row, ".rest", side ? String(side.left) : "");
    const clocks = (side?.glasses ?? []).map((glass) => `${glass.tube}\u00a0${glass.clock}`);
    setText(/** @type {Element} */ (row.nextElementSibling), clocks.join("   "));
  }
}

/** @param {Tile[]} boards */
function showAll(boards) {
  list.dataset.many = String(boards.length > Number(main.dataset.few));
  const columns = Math.max(1, Math.ceil(Math.sqrt(boards.length)));
  list.style.setProperty("--columns", String(columns));
  list.style.setProperty("--rows", String(Math.ceil(boards.length / columns)));
  /** @type {HTMLElement} */ (document.querySelector("#none")).hidden = boards.length > 0;
  boards.forEach(show);
  const asking = boards.filter((board) => board.call && board.online);
  asking.sort((one, other) => Number(Boolean(one.taken_by)) - Number(Boolean(other.taken_by)));
  const lines = asking.map((board) => [board]);
  if (lines.length > CALLS && !document.querySelector("#take")) lines.push(lines.splice(CALLS - 1).flat());
  while (calls.children.length > lines.length) calls.lastElementChild?.remove();
  while (calls.children.length < lines.length) calls.append(document.importNode(line.content, true));
  lines.forEach((each, place) => showCall(calls.children[place], each));
  main.style.setProperty("--calls", String(lines.length));
}

/** What came last and is not shown yet: a browser that cannot show all that comes leaves out what is old. @type {Tile[] | undefined} */
let newest;

showAll(JSON.parse(document.querySelector("#first")?.textContent ?? "[]"));
on("hall", (/** @type {Tile[]} */ boards) => {
  if (!newest) requestAnimationFrame(() => {
    if (newest) showAll(newest);
    newest = undefined;
  });
  newest = boards;
});
follow();
