// The scoreboard: follows the live stream, fetches the table when it looks different, and lets the sand run between.

import { GameClock } from "./clock.js";
import { follow, on } from "./line.js";
import { morph } from "./morph.js";
import { countDown, fetchNow } from "./now.js";
import { addRuling, showClauses } from "./rulings.js";
import { speak } from "./speech.js";
import { pour, sharesAfter, TIMER_SECONDS } from "./sand.js";

/** Real milliseconds between two looks at seconds and timer, and at most between two looks at the glasses. */
const TICK = 100;
const MOST_TICK = 500;

/** Game milliseconds between two looks at the glasses. */
const GAME_TICK = 500;

/** Real milliseconds before the table is asked for again when that failed. */
const RETRY = 1000;

/** Real milliseconds in which the sensors look at the board of another game: it is taken to be empty before. */
const FIRST_LOOK = 1500;

const main = /** @type {HTMLElement} */ (document.querySelector("#content"));
const stage = /** @type {HTMLElement} */ (document.querySelector("#stage"));
const rulings = /** @type {HTMLElement} */ (document.querySelector("#rulings"));

const clock = new GameClock();

/** @typedef {{at: string, runs: boolean, unplugged: number | null, state: {t: number, phase: string, wrong: unknown[], connected: boolean, deadline: number | null, glasses: import("./sand.js").Glass[]}}} Told */
/** @type {Told | undefined} */
let told;

/** The service is there. */
let isHere = false;

/** The revision that is being fetched. */
let fetching = "";

/** The drawings of each glass, on the board and as a clock, in the order of the state's. @type {Element[][]} */
let drawn = [];

/** The seconds of each glass beside its drawing as a clock, in the same order. @type {(Element | null | undefined)[]} */
let clocks = [];

/** The numbers that count down. @type {Element[]} */
let counting = [];

/** When another game was begun, and the timer of a state of it in which the board is not set up. */
let begun = -FIRST_LOOK;
let waiting = 0;

function now() {
  return /** @type {HTMLElement | null} */ (document.querySelector("#now"));
}

/** Find what moves: it was drawn again, or the state is another. */
function find() {
  /** @type {Record<string, number>} */
  const counted = {};
  const names = (told?.state.glasses ?? []).map(({ owner }) => {
    counted[owner] = (counted[owner] ?? 0) + 1;
    return `${owner}-${counted[owner]}`;
  });
  drawn = names.map((name) => [...document.querySelectorAll(`#glass-${name}, #clock-${name}`)]);
  clocks = names.map((name) => document.getElementById(`clock-${name}`)?.closest("li")?.querySelector("[data-until]"));
  counting = [...(now()?.querySelectorAll("[data-until]") ?? [])];
}

/** Have the seconds of the glasses end when they do by the newest state, as their sand does. */
function setClocks() {
  if (!told) return;
  const { t, glasses } = told.state;
  glasses.forEach(({ seconds }, place) => {
    clocks[place]?.setAttribute("data-until", seconds.map((each) => (t + each).toFixed(3)).join(" "));
  });
}

/** The glass that is looked at next: one after the other, so that no frame has to draw them all. */
let next = 0;

/**
 * Have the sand and the seconds stand as they are at this moment.
 * @param {boolean} all whether the glasses are looked at though that was done a moment ago
 */
function paint(all) {
  const table = now();
  if (!told || !table || table.dataset.at !== told.at) return;
  const at = performance.now();
  const time = clock.now(at);
  const { glasses } = told.state;
  const passed = clock.passed(at);
  const interval = Math.max(TICK, Math.min(MOST_TICK, GAME_TICK / clock.speed));
  for (let count = all ? glasses.length : Math.ceil((glasses.length * TICK) / interval); count > 0; count--) {
    next = (next + 1) % glasses.length;
    for (const where of drawn[next] ?? []) pour(where, sharesAfter(glasses[next], passed));
  }
  const { deadline, connected } = told.state;
  const counted = connected ? time : told.state.t;
  const timer = document.getElementById("timer");
  if (timer && deadline !== null) {
    const share = Math.min(1, Math.max(0, deadline - counted) / TIMER_SECONDS);
    pour(timer, [share, share]);
  }
  for (const each of counting) countDown(each, counted);
}

/** @returns {number} real milliseconds until a board that is not set up is said to be so, after a game was begun */
function untilLooked() {
  return begun + FIRST_LOOK - performance.now();
}

/** Fetch the table as it is now, unless that is under way. */
async function fetchTable() {
  if (!told || fetching) return;
  fetching = told.at;
  try {
    const from = now()?.dataset.at ?? "";
    const fresh = await fetchNow(`${main.dataset.now}?at=${encodeURIComponent(fetching)}&from=${encodeURIComponent(from)}`);
    if (fresh.matches(".setup.wrong") && untilLooked() > 0) return fetchAgain(TICK);
    show(document.adoptNode(fresh));
    fetchAgain(0);
  } catch {
    fetchAgain(RETRY);
  }
}

/** @param {number} later real milliseconds until the table is fetched again, if it is another by then */
function fetchAgain(later) {
  const fetchNewer = () => {
    fetching = "";
    if (now()?.dataset.at !== told?.at) fetchTable();
  };
  if (later) setTimeout(fetchNewer, later);
  else fetchNewer();
}

/** @param {HTMLElement} fresh */
function show(fresh) {
  const before = now();
  if (before) morph(before, fresh);
  else stage.replaceChildren(fresh);
  document.title = now()?.dataset.title ?? document.title;
  find();
  if (now()?.dataset.at === told?.at) setClocks();
  paint(true);
  document.dispatchEvent(new Event("shown"));
}

on("cut", (/** @type {number} */ since) => since && clock.stop());
on("service", (/** @type {{here: boolean, speed: number | null}} */ { here, speed }) => {
  isHere = here;
  if (speed) clock.speed = speed;
  if (!here) clock.stop();
});
/** @param {Told} heard */
function take(heard) {
  told = heard;
  document.dispatchEvent(new CustomEvent("told", { detail: heard }));
  clock.set(heard.state.t, heard.runs && isHere, performance.now());
  if (drawn.length !== heard.state.glasses.length) find(); // the same revision has the same glasses in the same order
  if (now()?.dataset.at === heard.at) {
    setClocks();
    paint(false);
  } else fetchTable();
}

on("state", (/** @type {Told} */ heard) => {
  clearTimeout(waiting);
  const rest = untilLooked();
  if (rest > 0 && heard.state.phase === "setup" && heard.state.wrong.length) waiting = setTimeout(take, rest, heard);
  else take(heard);
});
on("game", () => {
  begun = performance.now();
  clock.reset();
  rulings.replaceChildren();
});
for (const kind of ["ruling", "decision"])
  on(kind, (/** @type {import("./rulings.js").RulingLine} */ line) => addRuling(rulings, line));
showClauses();
speak();
follow();
setInterval(() => {
  if (clock.runs) paint(false);
}, TICK);
