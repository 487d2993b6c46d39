// The page's line to its program: brings the events of its table, notices when nothing comes, says so, and connects
// again.

import { setText } from "./now.js";
import { serve } from "./stream.js";

/** Milliseconds without anything after which the line counts as lost; the program is never silent for half of that. */
const SILENCE = 25_000;

/** Milliseconds between two looks at the line, and in which a new connection brings something. */
const LOOK = 1000;
const BEGINNING = 4000;

const main = /** @type {HTMLElement} */ (document.querySelector("#content"));
const lost = /** @type {HTMLElement} */ (document.querySelector("#lost"));
const address = `${main.dataset.events}?language=${document.documentElement.lang}`;

/** @type {Map<string, ((data: any) => void)[]>} */
const takers = new Map();

/** When something was heard last, and when this page connected last, in milliseconds since 1970. */
let heard = Date.now();
let joined = 0;

/** When this browser lost the page's program, in milliseconds since 1970; 0 while it is there. */
let cutOff = 0;

/** @type {{here: boolean, since: number} | undefined} */
let service;

/** When the board was lost, in seconds since 1970. @type {number | null} */
let unplugged = null;

/** A shared worker has the stream, else this page, which gives it up while it is hidden. */
let isShared = typeof SharedWorker !== "undefined";

/** @type {MessagePort} */
let port;

/**
 * Have a kind of event taken. `cut` is the line's own: since when it is lost, 0 when it is back.
 * @template T
 * @param {string} kind
 * @param {(data: T) => void} take
 */
export function on(kind, take) {
  takers.set(kind, [...(takers.get(kind) ?? []), take]);
}

/** @param {string} kind @param {any} data */
function pass(kind, data) {
  for (const take of takers.get(kind) ?? []) take(data);
}

/** Follow the table; what comes goes to those who take it. */
export function follow() {
  if (isShared) {
    const worker = new SharedWorker(main.dataset.stream ?? "", { type: "module" });
    worker.addEventListener("error", followAlone);
    connect(worker.port);
  } else {
    followAlone();
  }
  setInterval(look, LOOK);
  addEventListener("online", join);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && join());
  document.addEventListener("visibilitychange", () => {
    if (isShared) look();
    else if (document.hidden) leave();
    else join();
  });
  document.addEventListener("shown", sayLost);
}

/** Without shared workers, or with one that an old browser cannot run, the page has a stream of its own. */
function followAlone() {
  isShared = false;
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  connect(port1);
}

/** @param {MessagePort} to */
function connect(to) {
  port = to;
  port.onmessage = ({ data: { kind, data, place } }) => {
    if (kind === "cut") return cut(Date.now());
    heard = Date.now();
    cut(0);
    if (place && !isNew(place)) return;
    main.dataset.place = place || main.dataset.place;
    const told = JSON.parse(data);
    if (kind === "service") service = told;
    if (kind === "state") unplugged = told.unplugged;
    pass(kind, told);
    sayLost();
  };
  join();
}

/** @param {string} place @returns {boolean} this page has not had the line there */
function isNew(place) {
  const [life, seq] = place.split("-");
  const [hadLife, had] = (main.dataset.place ?? "").split("-");
  return life !== hadLife || Number(seq) > Number(had);
}

function join() {
  joined = Date.now();
  port.postMessage({ address, since: main.dataset.place ?? "" });
}

function leave() {
  port.postMessage({ address });
}

/**
 * Connect again when nothing was heard for long, and say so when that does not help at once. A browser has some idle
 * connections that may be as silent, and tries them first: so again and again.
 */
function look() {
  const since = (/** @type {number} */ time) => Math.abs(Date.now() - time);
  if (since(heard) < SILENCE || (!isShared && document.hidden)) return;
  if (joined > heard + SILENCE) cut(heard);
  if (since(joined) >= BEGINNING) join();
}

/** @param {number} since when the line is lost; 0: it is there */
function cut(since) {
  if (Boolean(since) === Boolean(cutOff)) return;
  cutOff = since;
  pass("cut", since);
  sayLost();
}

/**
 * @param {number} milliseconds since 1970
 * @returns {string} the time of day on the reader's clock
 */
function timeOfDay(milliseconds) {
  return new Date(milliseconds).toLocaleTimeString(document.documentElement.lang);
}

/** Say plainly when what is shown is of the past, and since when. */
function sayLost() {
  const { disconnected, lost: gone, unplugged: unreachable } = main.dataset;
  const hasTable = Boolean(document.querySelector("#now"));
  let words = "";
  if (cutOff) words = (disconnected ?? "").replace("{}", timeOfDay(cutOff));
  else if (hasTable && service && !service.here) words = (gone ?? "").replace("{}", timeOfDay(service.since * 1000));
  else if (hasTable && unplugged) words = (unreachable ?? "").replace("{}", timeOfDay(unplugged * 1000));
  setText(lost, words);
  lost.hidden = !words;
  document.body.classList.toggle("past", Boolean(words));
}
