// What matters, spoken by the browser's own voice once somebody has switched it on: players look at glasses.

import { on } from "./line.js";

/** Seconds at which a glass that runs out is spoken of. */
const SPOKEN_SECONDS = [30, 10];

/** Sentences that wait at most: what is older is of no use any more. */
const MOST = 2;

/** @typedef {{words: string, urgent: boolean}} Sentence */

/** A voice that says one thing at a time; what is urgent comes at once, in place of what is not. */
class Voice {
  constructor() {
    /** @type {Sentence[]} */
    this.waiting = [];
    /** @type {Sentence | undefined} */
    this.said = undefined;
  }

  /** @param {Sentence} sentence */
  say(sentence) {
    if (sentence.urgent) this.waiting = this.waiting.filter((each) => each.urgent);
    this.waiting = [...this.waiting, sentence].slice(-MOST);
    if (sentence.urgent && this.said && !this.said.urgent) this.stop();
    if (!this.said) this.next();
  }

  next() {
    const sentence = this.waiting.shift();
    this.said = sentence;
    if (!sentence) return;
    const spoken = new SpeechSynthesisUtterance(sentence.words);
    spoken.lang = document.documentElement.lang;
    spoken.onend = spoken.onerror = () => this.said === sentence && this.next();
    speechSynthesis.speak(spoken);
  }

  stop() {
    this.said = undefined;
    speechSynthesis.cancel();
  }

  hush() {
    this.waiting = [];
    this.stop();
  }
}

/** Have the switch of this page, which is off at first, say what is ruled, and which glasses run out. */
export function speak() {
  const box = document.querySelector("#spoken");
  if (!(box instanceof HTMLInputElement) || !("speechSynthesis" in window)) return;
  const { glassRed = "", glassBlack = "", timerRed = "", timerBlack = "" } = box.dataset;
  const glassWords = { red: glassRed, black: glassBlack };
  const timerWords = { red: timerRed, black: timerBlack };
  const voice = new Voice();
  const pages = new BroadcastChannel("spoken"); // of this browser: one of them speaks
  /** The seconds that each glass had, by its place in the state. @type {number[]} */
  let before = [];
  for (const each of [box, ...(box.labels ?? [])]) each.hidden = false;
  box.addEventListener("change", () => (box.checked ? pages.postMessage(null) : voice.hush()));
  pages.onmessage = () => {
    box.checked = false;
    voice.hush();
  };
  /** @param {string} words @param {boolean} urgent */
  const say = (words, urgent) => box.checked && voice.say({ words, urgent });
  on("ruling", (/** @type {any} */ { ruling, said, routine }) => {
    if (ruling.ruling === "timer_started") say(timerWords[/** @type {"red" | "black"} */ (ruling.against)], true);
    else if (ruling.ruling === "turn") say(said, false);
    else if (!routine) say(said, true);
  });
  on("state", (/** @type {any} */ { state }) => {
    const seconds = state.glasses.map((/** @type {any} */ each) => (each.state === "running" ? each.seconds[0] : 0));
    state.glasses.forEach((/** @type {{owner: "red" | "black", tube: string}} */ { owner, tube }, /** @type {number} */ place) => {
      const limit = SPOKEN_SECONDS.find((each) => before[place] > each && seconds[place] <= each && seconds[place] > each - 2);
      if (limit && !state.over) say(glassWords[owner].replace("{tube}", tube).replace("{seconds}", String(limit)), true);
    });
    before = seconds;
  });
}
