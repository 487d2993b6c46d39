// The sand between two states: how much of it there is at a time, and where it lies in the drawing.

/**
 * @typedef {object} Glass a glass as a state has it
 * @property {string} owner
 * @property {string | null} standing
 * @property {string} state
 * @property {[number, number]} seconds least and most to run
 * @property {[number, number]} fraction least and most share of a full glass
 */

/** An interval of sand is drawn from this width on, as the drawing itself does it. */
const VISIBLE_DOUBT = 0.04;

/** The nominal seconds of the 15-second timer. */
export const TIMER_SECONDS = 15;

/** Steps in which sand sinks; on a television one is a pixel. */
const STEPS = 80;

/** The height of all the sand in a bulb, and where the lower bulb ends, in the drawing's units. */
const SAND = 35;
const BULB = 41;

/**
 * @param {Glass} glass
 * @param {number} passed seconds of the game since the state
 * @returns {[number, number]} the least and most share above then
 */
export function sharesAfter(glass, passed) {
  const runs = glass.standing !== null && (glass.state === "running" || glass.state === "doubtful");
  if (!runs) return glass.fraction;
  const left = glass.fraction.map((share, bound) => {
    const seconds = glass.seconds[bound];
    return seconds > 0 ? share * Math.max(0, 1 - passed / seconds) : 0;
  });
  return [left[0], left[1]];
}

/**
 * @param {Element} drawn a glass of the drawing
 * @param {[number, number]} shares least and most share above
 */
export function pour(drawn, [low, high]) {
  const middle = (low + high) / 2;
  const [least, most] = high - low >= VISIBLE_DOUBT ? [low, high] : [middle, middle];
  heap(drawn, "sure", 0, height(least));
  heap(drawn, "sand", 0, height(middle));
  heap(drawn, "soft", 0, height(most));
  heap(drawn, "fallen", BULB, SAND - height(middle));
  const shown = `${+low.toFixed(5)} ${+high.toFixed(5)}`;
  if (drawn.getAttribute("data-fraction") !== shown) drawn.setAttribute("data-fraction", shown);
}

/**
 * @param {number} share
 * @returns {number} the height of the sand, in steps too small to be seen: each one costs a drawing
 */
function height(share) {
  return (Math.round(Math.sqrt(Math.max(0, share)) * STEPS) / STEPS) * SAND;
}

/**
 * @param {Element} drawn
 * @param {string} name
 * @param {number} foot where it ends
 * @param {number} tall
 */
function heap(drawn, name, foot, tall) {
  const rectangle = drawn.getElementsByClassName(name)[0];
  if (!rectangle || Number(rectangle.getAttribute("height")) === tall) return;
  rectangle.setAttribute("y", String(foot - tall));
  rectangle.setAttribute("height", String(tall));
}
