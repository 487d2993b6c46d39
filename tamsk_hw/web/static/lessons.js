// The list of the lessons: marks those that were solved in this browser.

import { solvedLessons } from "./solved.js";

const solved = solvedLessons();
for (const mark of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-lesson]")))
  mark.hidden = !solved.includes(mark.dataset.lesson ?? "");
