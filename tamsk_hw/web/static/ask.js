// Requests that end: an answer that never comes must not stop a page for good.

/** Milliseconds in which the page's program answers. */
const LIMIT = 10_000;

/**
 * Raises an error when no whole answer comes in time. Whether a posted action was done is then not known.
 * @param {string} address
 * @param {RequestInit} [settings]
 * @param {number} [limit] milliseconds
 * @returns {Promise<{ok: boolean, status: number, url: string, text: string}>}
 */
export async function ask(address, settings = {}, limit = LIMIT) {
  const controller = new AbortController(); // AbortSignal.timeout came with Chromium 103 only
  const timer = setTimeout(() => controller.abort(), limit);
  try {
    const answer = await fetch(address, { ...settings, signal: controller.signal });
    return { ok: answer.ok, status: answer.status, url: answer.url, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} address
 * @param {Record<string, string>} what
 * @param {number} [limit] milliseconds
 */
export function post(address, what, limit) {
  const headers = { "Content-Type": "application/json" };
  return ask(address, { method: "POST", headers, body: JSON.stringify(what) }, limit);
}

/**
 * @param {string} text
 * @returns {Document}
 */
export function parse(text) {
  return new DOMParser().parseFromString(text, "text/html");
}
