// A tournament's page follows its hall: whenever something of a tournament has changed the page is asked for again,
// and what differs is written into what is there. What a person types stays.

import { ask, parse } from "./ask.js";
import { follow, on } from "./line.js";
import { morph } from "./morph.js";

const main = /** @type {HTMLElement} */ (document.querySelector("#content"));

/** @param {number} changes how many there have been, as the hall counts */
async function refresh(changes) {
  if (String(changes) === main.dataset.changes) return;
  main.dataset.changes = String(changes);
  try {
    const fresh = parse((await ask(location.href)).text).querySelector("#content");
    if (fresh) morph(main, /** @type {Element} */ (document.importNode(fresh, true)));
  } catch {
    main.dataset.changes = ""; // with the next news
  }
}

on("tournaments", refresh);
follow();
