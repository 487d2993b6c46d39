// The time of the game between two states.

/** Real milliseconds after a state for which the game is taken to go on as it did. */
const TRUSTED = 5000;

/** Seconds, at the game's speed, by which a state may be older than it is taken to be: it was under way for long. */
const LATE = 5;

export class GameClock {
  #t = 0;
  #at = 0;
  #speed = 1;
  #runs = false;

  /** The time that was shown before the newest state: seconds that have passed do not come back. */
  #shown = 0;

  /** @returns {number} game seconds in a real second */
  get speed() {
    return this.#speed;
  }

  set speed(speed) {
    this.#speed = speed;
  }

  /**
   * @param {number} t the time of a state
   * @param {boolean} runs whether anything runs in it
   * @param {number} at real milliseconds
   */
  set(t, runs, at) {
    const shown = this.now(at);
    this.#shown = shown - t < LATE * this.#speed ? shown : t;
    this.#t = t;
    this.#runs = runs;
    this.#at = at;
  }

  /** Begin again: another game has a time of its own. */
  reset() {
    this.#t = this.#shown = 0;
    this.#runs = false;
  }

  /** Stand still. */
  stop() {
    this.#runs = false;
  }

  /** @returns {boolean} */
  get runs() {
    return this.#runs;
  }

  /**
   * @param {number} at real milliseconds
   * @returns {number} the game's seconds since the newest state
   */
  passed(at) {
    return this.#runs ? (Math.min(Math.max(0, at - this.#at), TRUSTED) / 1000) * this.#speed : 0;
  }

  /**
   * @param {number} at real milliseconds
   * @returns {number} the game's time
   */
  now(at) {
    return Math.max(this.#shown, this.#t + this.passed(at));
  }
}
