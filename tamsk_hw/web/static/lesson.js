// A lesson beside the table: how it stands, as it is judged.

import "./table.js";
import { on } from "./line.js";
import { keepSolved } from "./solved.js";

/** @typedef {{lesson: number, stage: string, words: string, hint: string}} Stands */

const lesson = /** @type {HTMLElement} */ (document.querySelector("#lesson"));
const stands = /** @type {HTMLElement} */ (document.querySelector("#lesson-stands"));
const hint = /** @type {HTMLElement} */ (document.querySelector("#lesson-hint"));

/** @type {HTMLFormElement} */ (lesson.querySelector("form")).addEventListener("submit", (event) => {
  const { asks } = /** @type {HTMLFormElement} */ (event.currentTarget).dataset;
  if (asks && document.querySelector("#now.play, #now.sand") && !confirm(asks)) event.preventDefault();
});

on("lesson", (/** @type {Stands} */ heard) => {
  const isThis = String(heard.lesson) === lesson.dataset.number;
  lesson.className = isThis ? `lesson ${heard.stage}` : "lesson";
  stands.textContent = isThis ? heard.words : "";
  hint.textContent = isThis ? heard.hint : "";
  if (isThis && heard.stage === "solved") keepSolved(lesson.dataset.name ?? "");
});
