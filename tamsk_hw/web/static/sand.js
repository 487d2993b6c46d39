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

/** Where the lower bulb ends, in the drawing's units. */
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
  turn(drawn, "sure", above(least));
  turn(drawn, "sand", above(middle));
  turn(drawn, "soft", above(most));
  turn(drawn, "fallen", `translate(0 ${BULB}) scale(1 ${(1 - height(middle)).toFixed(4)})`);
  const shown = `${+low.toFixed(5)} ${+high.toFixed(5)}`;
  if (drawn.getAttribute("data-fraction") !== shown) drawn.setAttribute("data-fraction", shown);
}

/**
 * @param {number} share
 * @returns {string}
 */
function above(share) {
  return `scale(1 ${height(share).toFixed(4)})`;
}

/**
 * @param {number} share
 * @returns {number} the height of the sand (0 to 1), in steps too small to be seen: each one costs a drawing
 */
function height(share) {
  return Math.round(Math.sqrt(Math.max(0, share)) * STEPS) / STEPS;
}

/**
 * @param {Element} drawn
 * @param {string} name
 * @param {string} transform
 */
function turn(drawn, name, transform) {
  const heap = drawn.getElementsByClassName(name)[0];
  if (heap && heap.getAttribute("transform") !== transform) heap.setAttribute("transform", transform);
}
