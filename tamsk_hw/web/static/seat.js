// Takes the seat whose secret is in the address's fragment, which is not sent to anybody and stays in no history.

import { post } from "./ask.js";

/** Sit down by the link with which the page was opened, and by those that are opened later. */
export function sitDownByLink() {
  const trouble = /** @type {HTMLElement} */ (document.querySelector("#unseated"));
  const acting = /** @type {HTMLElement} */ (document.querySelector("#acting"));

  async function sitDown() {
    const secret = location.hash.slice(1);
    const seat = new URLSearchParams(location.search).get("seat");
    if (!secret || !seat || document.getElementById(secret)) return;
    history.replaceState(null, "", location.pathname + location.search);
    try {
      const answer = await post("/table/sit", { seat, secret });
      if (answer.ok) return location.reload();
      trouble.textContent = JSON.parse(answer.text).refused;
    } catch {
      trouble.textContent = acting.dataset.unreachable ?? "";
    }
    trouble.hidden = false;
  }

  addEventListener("hashchange", sitDown);
  sitDown();
}

/** Who has no seat presses nothing. */
export function onlyWatch() {
  function disable() {
    for (const each of document.querySelectorAll("#hands button")) each.setAttribute("disabled", "");
  }
  document.addEventListener("shown", disable);
  disable();
}
