"use strict";
// Light or dark as the reader chose it here before, else as his device does. Runs before the page is drawn.
(() => {
  const KEY = "tamsk-theme";
  const root = document.documentElement;

  /** @returns {string} what was chosen: "light", "dark" or "auto" */
  function chosen() {
    try {
      return localStorage.getItem(KEY) ?? "auto";
    } catch {
      return "auto"; // storage is closed to this page
    }
  }

  /** @param {string} theme */
  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  apply(chosen());
  document.addEventListener("DOMContentLoaded", () => {
    const select = document.querySelector("#theme");
    if (!(select instanceof HTMLSelectElement)) return;
    select.value = chosen();
    const label = select.closest("label");
    if (label) label.hidden = false;
    select.addEventListener("change", () => {
      apply(select.value);
      try {
        localStorage.setItem(KEY, select.value);
      } catch {
        // It holds for this page alone.
      }
    });
  });
})();
