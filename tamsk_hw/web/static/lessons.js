// The list of the lessons: marks those that were solved in this browser, and leads to the first that was not.

import { solvedLessons } from "./solved.js";

const solved = solvedLessons();
const marks = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-lesson]")]);
for (const mark of marks) mark.hidden = !solved.includes(mark.dataset.lesson ?? "");

const open = marks.findIndex((mark) => mark.hidden);
/** @type {HTMLAnchorElement} */ (document.querySelector("#next-lesson")).href = `/learn/${Math.max(0, open) + 1}`;
