// A recorded game: scrubbed, stepped through and played. The table is asked for at each instant at which something
// happened; between two of them the sand runs here.

import { morph } from "./morph.js";
import { countDown, fetchNow, setText } from "./now.js";
import { showClauses } from "./rulings.js";
import { pour, sharesAfter, TIMER_SECONDS } from "./sand.js";

/** Real milliseconds between two looks at the time while it runs. */
const TICK = 100;

/** Real milliseconds before an instant is asked for again when that failed. */
const RETRY = 1000;

/** Instants that are kept: who scrubs comes back to them. */
const MOST_KEPT = 60;

/**
 * @template {Element} T
 * @param {string} selector
 * @returns {T}
 */
function the(selector) {
  return /** @type {T} */ (document.querySelector(selector));
}

const main = /** @type {HTMLElement} */ (the("#content"));
const lost = /** @type {HTMLElement} */ (the("#lost"));
const play = /** @type {HTMLButtonElement} */ (the("#play"));
const slider = /** @type {HTMLInputElement} */ (the("#place"));
const speed = /** @type {HTMLSelectElement} */ (the("#speed"));
const time = /** @type {HTMLElement} */ (the("#time"));
const news = /** @type {HTMLElement} */ (the("#news"));
const moment = /** @type {HTMLAnchorElement} */ (the("#moment"));
const list = /** @type {HTMLElement} */ (the("#rulings"));
const lines = /** @type {HTMLElement[]} */ ([...list.children]);

/** Milliseconds of the stream at which something happened, in order. */
const instants = (main.dataset.instants ?? "0").split(" ").map(Number);
const begins = instants[0];
const ends = instants[instants.length - 1];

/** The instants at which something was ruled, in order. */
const ruled = [...new Set(lines.map((line) => Number(line.dataset.instant)))];

/** The instants at which a turn began, in order. */
const turns = [...new Set(lines.filter((line) => "turn" in line.dataset).map((line) => Number(line.dataset.instant)))];

/** The time that is looked at, in milliseconds of the stream. */
let t = Math.min(ends, Math.max(begins, asked() ?? instants[Number(main.dataset.instant)]));

/** The instant whose table is shown. */
let shown = Number(main.dataset.instant);

let plays = false;

/** Real milliseconds at which the time was looked at. */
let looked = 0;

/** @type {Map<number, Element>} */
const kept = new Map();

/** The instant that is being fetched. */
let fetching = -1;

/** @type {{drawn: Element, glass: import("./sand.js").Glass}[]} */
let glasses = [];

/** @returns {number | null} the time that the address names */
function asked() {
  const named = new URLSearchParams(location.search).get("t");
  return named === null || Number.isNaN(Number(named)) ? null : Math.round(Number(named) * 1000);
}

/**
 * @param {number[]} times in order
 * @param {number} last
 * @returns {number} the place of the last time that is not later than that; -1 before the first
 */
function placeOf(times, last) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= last) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** @returns {number} the instant at which the table stands as it does at the time that is looked at */
function wanted() {
  return Math.max(0, placeOf(instants, t));
}

/** Find the drawing's glasses, as they are at the instant itself. */
function find() {
  glasses = [...document.querySelectorAll("#board .tamsk-glass, .clocks .tamsk-glass")].map((drawn) => {
    const { owner, standing, state, seconds, fraction } = /** @type {SVGElement} */ (drawn).dataset;
    const pair = (/** @type {string | undefined} */ text) =>
      /** @type {[number, number]} */ ((text ?? "0 0").split(" ").map(Number));
    const glass = { owner: owner ?? "", standing: standing || null, state: state ?? "", seconds: pair(seconds), fraction: pair(fraction) };
    return { drawn, glass };
  });
}

/** Have sand, seconds, slider and list stand as they are at the time that is looked at. */
function paint() {
  const goal = wanted();
  if (goal !== shown) fetchInstant(goal);
  const next = instants[shown + 1] ?? ends;
  const passed = Math.max(0, Math.min(t, next) - instants[shown]) / 1000;
  for (const { drawn, glass } of glasses) pour(drawn, sharesAfter(glass, passed));
  const counted = instants[shown] / 1000 + (document.querySelector("#board .stale") ? 0 : passed);
  for (const each of document.querySelectorAll("#now [data-until]")) {
    const left = countDown(each, counted);
    const timer = each.closest(".timer")?.querySelector("#timer");
    const share = Math.min(1, left / TIMER_SECONDS);
    if (timer) pour(timer, [share, share]);
  }
  const words = (main.dataset.time ?? "").replace("00:00", clock(t));
  setText(time, words);
  if (document.activeElement !== slider || plays) slider.value = String(t / 1000);
  if (slider.getAttribute("aria-valuetext") !== words) slider.setAttribute("aria-valuetext", words);
  mark(placeOf(ruled, goal));
}

/**
 * @param {number} milliseconds
 * @returns {string} minutes and seconds
 */
function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The place in `ruled` of the newest ruling that is marked in the list. */
let marked = -2;

/**
 * Mark the newest rulings in the list, and bring them into its view.
 * @param {number} place in `ruled`; -1 before the first
 */
function mark(place) {
  if (place === marked) return;
  marked = place;
  const now = place < 0 ? [] : lines.filter((line) => Number(line.dataset.instant) === ruled[place]);
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  for (const line of now) line.setAttribute("aria-current", "true");
  for (const line of lines) line.classList.toggle("later", place < 0 || Number(line.dataset.instant) > ruled[place]);
  const last = now[now.length - 1] ?? lines[0];
  if (last) list.scrollTop = last.offsetTop - list.offsetTop - (list.clientHeight - last.offsetHeight) / 2;
}

/**
 * Show the table at an instant, fetched unless it is known.
 * @param {number} instant
 */
async function fetchInstant(instant) {
  const known = kept.get(instant);
  if (known) show(instant, known);
  if (known || fetching >= 0) return;
  fetching = instant;
  try {
    const fingerprint = encodeURIComponent(main.dataset.fingerprint ?? "");
    const fresh = await fetchNow(`${main.dataset.address}/${instant}?v=${fingerprint}`);
    kept.set(instant, fresh);
    const oldest = kept.keys().next().value;
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    lost.hidden = true;
    fetching = -1;
    show(instant, fresh);
  } catch {
    lost.hidden = false;
    setTimeout(() => {
      fetching = -1;
      paint();
    }, RETRY);
  }
}

/**
 * @param {number} instant
 * @param {Element} fresh
 */
function show(instant, fresh) {
  const before = document.querySelector("#now");
  if (before) morph(before, document.importNode(fresh, true));
  shown = instant;
  find();
  paint();
}

/** @param {boolean} runs */
function run(runs) {
  if (runs && t >= ends) t = begins;
  plays = runs;
  looked = performance.now();
  setText(play, (runs ? main.dataset.pause : main.dataset.play) ?? "");
  paint();
  if (!runs) link();
}

/** Have the address and the links lead to what is shown. */
function link() {
  const here = `?t=${(t / 1000).toFixed(3)}`;
  history.replaceState(null, "", here);
  moment.href = here;
  const place = placeOf(ruled, t === instants[wanted()] ? wanted() - 1 : wanted());
  /** @type {HTMLAnchorElement} */ (the("#earlier")).href = `?t=${((instants[ruled[place]] ?? begins) / 1000).toFixed(3)}`;
  const next = ruled[placeOf(ruled, wanted()) + 1];
  /** @type {HTMLAnchorElement} */ (the("#later")).href = `?t=${((instants[next] ?? ends) / 1000).toFixed(3)}`;
}

/**
 * Stand still at a time, and say what was ruled there.
 * @param {number} milliseconds
 */
function go(milliseconds) {
  t = Math.min(ends, Math.max(begins, milliseconds));
  run(false);
  const here = lines.filter((line) => instants[Number(line.dataset.instant)] === t);
  setText(news, here.map((line) => line.querySelector("span")?.textContent ?? "").join(" "));
}

/**
 * @param {1 | -1} way
 * @param {number[]} among the instants to step to, in order
 */
function step(way, among = ruled) {
  const place = way > 0 ? placeOf(among, wanted()) + 1 : placeOf(among, t > instants[wanted()] ? wanted() : wanted() - 1);
  const instant = among[place];
  go(instant === undefined ? (way > 0 ? ends : begins) : instants[instant]);
}

/** @param {1 | -1} way */
function changeSpeed(way) {
  speed.selectedIndex = Math.min(speed.length - 1, Math.max(0, speed.selectedIndex + way));
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const where = event.target instanceof Element ? event.target : null;
  if (where?.closest("select, summary, input:not(#place)")) return;
  switch (event.key) {
    case " ":
      if (where?.closest("button, a")) return;
      run(!plays);
      break;
    case "ArrowLeft":
      step(-1, event.shiftKey ? turns : ruled);
      break;
    case "ArrowRight":
      step(1, event.shiftKey ? turns : ruled);
      break;
    case "Home":
    case "End":
      if (where === list) return; // it scrolls
      go(event.key === "Home" ? begins : ends);
      break;
    case "+":
    case "=":
      changeSpeed(1);
      break;
    case "-":
      changeSpeed(-1);
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.id === "earlier") step(-1);
  else if (link.id === "later") step(1);
  else if (link.classList.contains("at")) go(instants[Number(link.closest("li")?.dataset.instant)]);
  else return;
  event.preventDefault();
}

for (const hidden of main.querySelectorAll(".replay [hidden]")) /** @type {HTMLElement} */ (hidden).hidden = false;
showClauses();
play.addEventListener("click", () => run(!plays));
the("#turn-before").addEventListener("click", () => step(-1, turns));
the("#turn-after").addEventListener("click", () => step(1, turns));
slider.addEventListener("input", () => {
  t = Math.round(Number(slider.value) * 1000);
  looked = performance.now();
  paint();
});
slider.addEventListener("change", () => (plays ? paint() : link()));
document.addEventListener("keydown", press);
document.addEventListener("click", follow);
find();
paint();
link();
setInterval(() => {
  if (!plays) return;
  const now = performance.now();
  t = Math.min(ends, t + (now - looked) * Number(speed.value));
  looked = now;
  if (t >= ends) run(false);
  else paint();
}, TICK);
