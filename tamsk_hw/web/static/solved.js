// The lessons that were solved in this browser. They are kept here and nowhere else.

const KEPT = "tamsk-lessons";

/** @returns {string[]} the names of the lessons that were solved */
export function solvedLessons() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return []; // nothing can be kept, or it was damaged
  }
}

/** @param {string} name */
export function keepSolved(name) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...new Set([...solvedLessons(), name])]));
  } catch {
    // nothing can be kept here
  }
}
