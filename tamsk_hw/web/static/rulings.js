// The list of rulings, the newest first, and the text of the clause that one rests on.

import { ask, parse } from "./ask.js";

/**
 * Rulings that stay in the list, of those that matter and of routine each: every new one has the browser draw them
 * all. The game's page has the others.
 */
const MOST = 30;

/**
 * @typedef {object} RulingLine a line of the stream
 * @property {number} seq
 * @property {string} said the sentence
 * @property {string} clause
 * @property {string} clock
 * @property {string} mark what it is about
 * @property {boolean} routine a list of what matters leaves it out
 */

/**
 * @param {string} clause as "R4.4"
 * @returns {string} its anchor, "r4-4"
 */
function anchor(clause) {
  return clause.toLowerCase().replace(".", "-");
}

/**
 * @param {Element} list
 * @param {RulingLine} line
 */
export function addRuling(list, line) {
  const item = document.createElement("li");
  item.className = line.mark;
  item.classList.toggle("routine", line.routine);
  const time = document.createElement("time");
  time.textContent = line.clock;
  const words = document.createElement("span");
  words.textContent = line.said;
  item.append(time, " ", words, " ");
  if (line.clause) {
    const link = document.createElement("a");
    link.className = "clause";
    link.href = `/rules#${anchor(line.clause)}`;
    link.textContent = line.clause;
    item.append(link);
  }
  list.prepend(item);
  const like = [...list.children].filter((each) => each.classList.contains("routine") === line.routine);
  for (const each of like.slice(MOST)) each.remove();
}

/** @type {Promise<Document> | undefined} */
let rules;

/** @returns {Promise<Document>} the page with the rules, loaded once */
function loadRules() {
  rules ??= ask("/rules").then((answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    return parse(answer.text);
  });
  rules.catch(() => (rules = undefined));
  return rules;
}

/** Clicks on a clause show its text; where that cannot be had they lead to the page with the rules. */
export function showClauses() {
  const dialog = document.querySelector("#clause");
  if (!(dialog instanceof HTMLDialogElement)) return;
  const [title, text, link, close] = ["title", "text", "link", "close"].map((name) =>
    dialog.querySelector(`#clause-${name}`),
  );
  close?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("click", async (event) => {
    const from = event.target instanceof Element ? event.target.closest("a.clause") : null;
    if (!(from instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const rule = (await loadRules()).getElementById(from.hash.slice(1));
      const body = rule?.querySelector(".text");
      if (!rule || !body || !title || !text) throw new Error("no such clause");
      title.textContent = rule.dataset.number ?? "";
      text.replaceChildren(...[...body.cloneNode(true).childNodes].map((node) => document.importNode(node, true)));
      if (link instanceof HTMLAnchorElement) link.href = from.href;
      dialog.showModal();
    } catch {
      location.href = from.href;
    }
  });
}
