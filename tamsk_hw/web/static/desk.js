// The arbiter's desk: follows the table, and passes on what is pressed without loading the page again. Without this
// file the same forms do the same.

import { ask, parse } from "./ask.js";
import { GameClock } from "./clock.js";
import { follow, on } from "./line.js";
import { morph } from "./morph.js";
import { countDown } from "./now.js";
import { addRuling } from "./rulings.js";

/** Real milliseconds between two looks at the seconds. */
const TICK = 200;

/** Real milliseconds before the page is asked again. */
const RETRY = 1000;

const main = /** @type {HTMLElement} */ (document.querySelector("#content"));
const desk = /** @type {HTMLElement} */ (document.querySelector("#desk"));
const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"));
const rulings = /** @type {HTMLElement} */ (document.querySelector("#rulings"));

/** The desk's own address. */
const home = main.dataset.desk ?? "";

if (location.hash) history.replaceState(null, "", home);

/** What the desk shows is of an older table than the page knows of. */
let isOld = false;

/** Something is being fetched, or a finger is on the glass: the buttons stay where they are. */
let busy = 0;

/** Pages of the desk asked for so far; the answer to an earlier one may come after that to the last one. */
let asks = 0;

function markChosen() {
  const name = document.querySelector("#chosen")?.getAttribute("data-chosen");
  for (const each of desk.querySelectorAll(".chosen")) each.classList.remove("chosen");
  if (name) document.getElementById(`tube-${name}`)?.classList.add("chosen");
}

/**
 * Fetch a page of the desk and show it.
 * @param {string} address
 * @param {RequestInit} settings
 * @param {boolean} asked somebody pressed something: say the answer, and show what is asked
 */
async function load(address, settings, asked) {
  busy += 1;
  const number = (asks += 1);
  try {
    const got = await ask(address, settings);
    const page = parse(got.text);
    const fresh = page.querySelector("#desk");
    if (!fresh) {
      const why = page.querySelector("#why");
      if (why) tell(why.textContent ?? "", true);
      else location.assign(home); // signed out
      return;
    }
    const isLast = number === asks;
    isOld = !isLast;
    if (isLast) morph(desk, /** @type {Element} */ (document.importNode(fresh, true)));
    markChosen();
    if (!asked) return;
    const said = page.querySelector("#answer");
    if (isLast || said?.textContent) tell(said?.textContent ?? "", Boolean(said?.classList.contains("refused")));
    if (!isLast) return;
    history.replaceState(null, "", new URL(got.url).pathname + new URL(got.url).search);
    const title = document.querySelector("#confirm-title") ?? document.querySelector("#chosen-title");
    if (title instanceof HTMLElement) title.focus();
    else if (answer.textContent) answer.focus();
  } catch {
    if (asked) tell(main.dataset.unreachable ?? "", true);
    else setTimeout(() => (isOld = true) && refresh(), RETRY);
  } finally {
    busy -= 1;
    refresh();
  }
}

/**
 * @param {string} words
 * @param {boolean} refused
 */
function tell(words, refused) {
  answer.classList.toggle("refused", refused);
  answer.textContent = words;
}

/** Show the desk as it is now, unless nothing has changed. */
function refresh() {
  if (isOld && !busy) {
    isOld = false;
    load(location.pathname + location.search, {}, false);
  }
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!desk.contains(form)) return;
  event.preventDefault();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) fields.append(name, String(value));
  if (form.method === "get") load(`${home}?${fields}`, {}, true);
  else load(form.action, { method: "POST", body: fields }, true);
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const tapped = event.target.closest("#board [data-tube]");
  const tube = tapped?.getAttribute("data-standing") || tapped?.getAttribute("data-tube");
  const link = event.target.closest("#confirm-no");
  if (!tube && !link) return;
  event.preventDefault();
  if (document.body.classList.contains("past")) return;
  load(tube ? `${home}?tube=${tube}` : home, {}, true);
});

for (const [kind, change] of /** @type {[string, number][]} */ ([["pointerdown", 1], ["pointerup", -1], ["pointercancel", -1]]))
  document.addEventListener(kind, () => {
    busy = Math.max(0, busy + change);
    if (change < 0) setTimeout(refresh); // after the click
  });

on("cut", (/** @type {number} */ since) => {
  for (const button of desk.querySelectorAll("button")) button.disabled = Boolean(since);
  if (since) clock.stop();
  isOld ||= !since; // the program may have been started again, and know nobody here
  refresh();
});
const clock = new GameClock();

setInterval(() => {
  if (clock.runs) for (const each of desk.querySelectorAll("[data-until]")) countDown(each, clock.now(performance.now()));
}, TICK);
on("service", ({ here, speed }) => {
  if (speed) clock.speed = speed;
  if (!here) clock.stop();
  isOld ||= desk.dataset.here !== String(here);
  refresh();
});
on("state", ({ at, runs, state }) => {
  clock.set(state.t, runs && state.connected, performance.now());
  isOld ||= desk.dataset.at !== at;
  refresh();
});
on("game", () => {
  clock.reset();
  rulings.replaceChildren();
  isOld = true;
  if (document.querySelector("#confirm")) {
    history.replaceState(null, "", home); // it was meant for the game before
    tell(main.dataset.noLonger ?? "", true);
  }
  refresh();
});
for (const kind of ["ruling", "decision"])
  on(kind, (/** @type {import("./rulings.js").RulingLine} */ line) => addRuling(rulings, line));

markChosen();
follow();
