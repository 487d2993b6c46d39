// A lesson beside the table: how it stands, as it is judged.

import { keepSolved } from "./solved.js";

/** @typedef {{lesson: number, stage: string, words: string, hint: string}} Stands */

const lesson = /** @type {HTMLElement} */ (document.querySelector("#lesson"));
const stands = /** @type {HTMLElement} */ (document.querySelector("#lesson-stands"));
const hint = /** @type {HTMLElement} */ (document.querySelector("#lesson-hint"));

/** @param {Stands} heard */
function show(heard) {
  const isThis = String(heard.lesson) === lesson.dataset.number;
  lesson.className = isThis ? `lesson ${heard.stage}` : "lesson";
  stands.textContent = isThis ? heard.words : "";
  hint.textContent = isThis ? heard.hint : "";
  if (isThis && heard.stage === "solved") keepSolved(lesson.dataset.name ?? "");
}

new EventSource("/learn/events").addEventListener("message", (message) => show(JSON.parse(message.data)));
