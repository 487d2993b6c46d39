// Hands at a simulated board: drags by mouse and touch, keys and buttons become deeds, which the board does or refuses.
// Where things are stands in the drawing; nothing is judged here. A page uses it beside a table and `_acting.html`.

import { post } from "./ask.js";
import { pour } from "./sand.js";

/** Pixels from which on a pointer drags, and milliseconds from which on a button is held. */
const DRAG = 6;

/** Pixels from which on a pointer has left a button that it pressed. */
const LEFT = 12;

const LONG = 800;

/** Units of the drawing: how far from a tube things are let go beside the board, and how deep a glass is held. */
const REACH = 96;
const DEEP = 40;

/** Milliseconds in which a glass is seen to turn, and in which a refusal can be read. */
const TURNING = 350;
const READING = 6000;

/** Milliseconds in which hands have set up the board for another game. */
const SETTING_UP = 60_000;

/** Milliseconds in which a choice before a game is seen, and between two looks whether it is. */
const SEEN = 3000;
const LOOK = 50;

/** The least milliseconds between two turns by the wheel. */
const WHEEL = 300;

/** Where the browser keeps that a game was played in it. */
const PLAYED = "tamsk-played";

/** @typedef {"red" | "black"} Player */
/**
 * @typedef {object} Drag
 * @property {number} pointer
 * @property {"glass" | "ring" | "off"} kind
 * @property {Player} player
 * @property {string} glass its name; of a ring the tube that it lies on, else ""
 * @property {number} dx from the pointer to the foot, in units
 * @property {number} dy
 * @property {Promise<boolean>} lifted
 */

const NEAR_BOARD = "#places .place";

/** Have the hands of this page's seat play. */
export function useHands() {
  const acting = /** @type {HTMLElement} */ (document.querySelector("#acting"));
  const main = /** @type {HTMLElement} */ (document.querySelector("#content"));
  const said = /** @type {HTMLElement} */ (document.querySelector("#said"));
  const refusal = /** @type {HTMLElement} */ (document.querySelector("#refusal"));
  const carried = /** @type {HTMLElement} */ (document.querySelector("#carried"));
  const keys = /** @type {HTMLDialogElement | null} */ (document.querySelector("#keys"));
  let seat = acting.dataset.seat ?? "both";

  /** Whose hands the keys move. @type {Player} */
  let mine = seat === "black" ? "black" : "red";

  /** The tube that keys act on. */
  let chosen = "";

  /** The glass that was lifted last. */
  let latest = "";

  /** @type {Drag | null} */
  let drag = null;

  /** Where a pointer went down, before it drags. @type {{event: PointerEvent, begin: (() => void) | null} | null} */
  let pressed = null;

  /** The deeds with each glass, one after the other. @type {Map<string, Promise<boolean>>} */
  const deeds = new Map();

  /** Glasses that were lifted, and have not been seen in the hand yet. @type {Map<string, Player>} */
  const lifting = new Map();

  /** Glasses that leave the hand. @type {Set<string>} */
  const leaving = new Set();

  /** Where glasses were lifted. @type {Map<string, string>} */
  const stood = new Map();

  /** Glasses that were turned over since, and have not been turned back. @type {Set<string>} */
  const turned = new Set();

  let reading = 0;
  let wheeled = 0;

  /** The choices before a game, one after the other, and a start after them. @type {Promise<unknown>} */
  let choices = Promise.resolve();

  // What the board is asked for.

  /**
   * @param {Record<string, string>} deed
   * @param {string} [tube] where a refusal is shown
   * @returns {Promise<boolean>} it is done
   */
  function act(deed, tube = deed.tube) {
    return request("/table/do", deed, tube);
  }

  /**
   * @param {string} address
   * @param {Record<string, string>} what
   * @param {string} [tube] where a refusal is shown
   * @param {number} [limit] milliseconds in which the answer comes
   * @returns {Promise<boolean>} it is done; of an action without an answer nobody knows
   */
  async function request(address, what, tube, limit) {
    try {
      const answer = await post(address, what, limit);
      const { words, refused } = JSON.parse(answer.text);
      if (answer.ok && refused === undefined) {
        say(words);
        return true;
      }
      refuse(refused, tube);
    } catch {
      refuse(acting.dataset.unreachable ?? "", tube);
    }
    return false;
  }

  /** @param {string} words */
  function say(words) {
    said.textContent = words;
    refusal.hidden = true;
  }

  /**
   * Say why something is refused, at its place.
   * @param {string} words
   * @param {string | undefined} tube
   */
  function refuse(words, tube) {
    said.textContent = words;
    refusal.textContent = words;
    refusal.hidden = false;
    const place = document.getElementById(`place-${tube}`) ?? document.querySelector("#drawing");
    const box = /** @type {Element} */ (place).getBoundingClientRect();
    const half = refusal.offsetWidth / 2;
    const middle = Math.min(Math.max(box.left + box.width / 2, half + 4), innerWidth - half - 4);
    refusal.style.left = `${middle}px`;
    // Below the place or above it: where it covers no seconds.
    const tall = refusal.offsetHeight;
    const tops = [Math.min(box.bottom, innerHeight - tall - 4), Math.max(4, box.top - tall)];
    const seconds = [...document.querySelectorAll("[data-until]")].map((each) => each.getBoundingClientRect());
    const isFree = (/** @type {number} */ top) =>
      !seconds.some(
        (each) =>
          each.top < top + tall && each.bottom > top && each.left < middle + half && each.right > middle - half,
      );
    refusal.style.top = `${tops.find(isFree) ?? tops[0]}px`;
    clearTimeout(reading);
    reading = setTimeout(() => (refusal.hidden = true), READING);
  }

  /**
   * Do something with a glass when all that was asked before is done.
   * @param {string} glass
   * @param {Record<string, string>} deed
   * @param {string} [tube]
   * @returns {Promise<boolean>}
   */
  function then(glass, deed, tube) {
    const before = deeds.get(glass) ?? Promise.resolve(true);
    const done = before.then(() => act(deed, tube));
    deeds.set(glass, done);
    return done;
  }

  /**
   * @param {Element} place with a glass in it
   * @param {Player} player
   * @returns {Promise<boolean>}
   */
  function lift(place, player) {
    const { glass = "", tube = "" } = /** @type {HTMLElement} */ (place).dataset;
    mine = player;
    latest = glass;
    stood.set(glass, tube);
    turned.delete(glass);
    lifting.set(glass, player);
    return then(glass, { do: "lift", player, tube }).then((done) => {
      if (!done) lifting.delete(glass);
      return done;
    });
  }

  /**
   * Turn a glass over in the hand.
   * @param {string} glass
   * @param {Player} player
   */
  async function turnOver(glass, player) {
    if (await then(glass, { do: "turn", player, glass })) {
      if (!turned.delete(glass)) turned.add(glass);
    }
  }

  /**
   * @param {string} glass
   * @param {Player} player
   * @param {Record<string, string>} deed by which it leaves the hand
   * @param {string} [tube]
   */
  async function leave(glass, player, deed, tube) {
    leaving.add(glass);
    lifting.delete(glass);
    const done = await then(glass, { player, glass, ...deed }, tube);
    leaving.delete(glass);
    return done;
  }

  /** Give the other a ring: the one in the hand, else one of the holder. @param {Player} player */
  async function give(player) {
    const own = /** @type {HTMLElement | null} */ (document.querySelector(`.rings[data-rings="${player}"]`));
    if (own?.dataset.held === "0" && !(await act({ do: "take_up", player }))) return;
    await act({ do: "put_back", player, to: player === "red" ? "black" : "red" });
  }

  /** @param {string} owner @returns {Player} whose hand takes things of this owner */
  function handFor(owner) {
    return seat === "both" ? /** @type {Player} */ (owner) : /** @type {Player} */ (seat);
  }

  /** @returns {string[]} the glasses in the hands that keys move, the one lifted last at the end */
  function inHand() {
    const held = [...document.querySelectorAll(`.held[data-player="${mine}"]`)].map(
      (each) => /** @type {HTMLElement} */ (each).dataset.glass ?? "",
    );
    for (const [glass, player] of lifting) if (player === mine && !held.includes(glass)) held.push(glass);
    return held
      .filter((glass) => !leaving.has(glass))
      .sort((one, other) => Number(one === latest) - Number(other === latest));
  }

  // What the drawing says.

  /** @param {string} glass @returns {HTMLElement | SVGElement | null} the place of a glass in a tube or in a hand */
  function placeOf(glass) {
    return document.querySelector(`#places [data-glass="${glass}"]`);
  }

  /** @param {string} glass @returns {Element | null} */
  function drawnOf(glass) {
    const place = placeOf(glass);
    const tube = place?.dataset.tube;
    const from = tube ? document.querySelector(`.grab[data-tube="${tube}"]`) : place;
    const name = /** @type {HTMLElement | null} */ (from)?.dataset.drawn;
    return name ? document.getElementById(name) : null;
  }

  /** @returns {DOMMatrix} from units of the drawing to pixels of the window */
  function matrix() {
    const board = /** @type {SVGGElement} */ (document.querySelector("#places > g"));
    return /** @type {DOMMatrix} */ (board.getScreenCTM());
  }

  /**
   * @param {number} x of the foot of what is let go, in pixels
   * @param {number} y
   * @returns {string} the tube that it would go to; "" beside the board
   */
  function tubeAt(x, y) {
    const at = new DOMPoint(x, y).matrixTransform(matrix().inverse());
    let nearest = "";
    let least = REACH;
    for (const place of document.querySelectorAll(NEAR_BOARD)) {
      const { x: left, y: top, rim, tube } = /** @type {HTMLElement} */ (place).dataset;
      const away = Math.hypot(at.x - Number(left), at.y - (Number(top) - Number(rim) / 2));
      if (away < least) [nearest, least] = [tube ?? "", away];
    }
    return nearest;
  }

  // Drags

  /**
   * @param {PointerEvent} event
   * @param {Omit<Drag, "pointer" | "dx" | "dy">} what
   * @param {{x: number, y: number}} [foot] of what is taken, in units
   */
  function take(event, what, foot) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix().inverse());
    const dx = foot ? foot.x - at.x : 0;
    const dy = foot ? Math.min(DEEP, Math.max(-DEEP, foot.y - at.y)) : 0;
    drag = { ...what, pointer: event.pointerId, dx, dy };
    main.setPointerCapture(event.pointerId);
    carry(event);
  }

  /** Show what is carried under the pointer. @param {PointerEvent} event */
  function carry(event) {
    if (!drag) return;
    const scale = matrix().a;
    const [x, y] = [event.clientX + drag.dx * scale, event.clientY + drag.dy * scale];
    if (carried.hidden) {
      show(drag.kind === "ring" ? ring() : glassOf(drag.glass));
      carried.hidden = false;
      hide();
    }
    carried.style.width = `${120 * scale}px`;
    carried.style.transform = `translate(${x}px, ${y}px)`;
    const tube = tubeAt(x, y);
    for (const place of document.querySelectorAll(NEAR_BOARD))
      place.classList.toggle("target", tube !== "" && /** @type {HTMLElement} */ (place).dataset.tube === tube);
    const enters = drag.kind !== "ring" && document.getElementById(`place-${tube}`)?.dataset.enters;
    const warning = /** @type {HTMLElement} */ (carried.querySelector("p"));
    warning.hidden = !enters;
    warning.textContent = enters || "";
  }

  /** @param {SVGSVGElement} drawing of what is carried */
  function show(drawing) {
    carried.querySelector("svg")?.remove();
    carried.prepend(drawing);
  }

  /** @param {string} inside @returns {SVGSVGElement} */
  function small(inside) {
    const box = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    box.setAttribute("viewBox", "-60 -140 120 160");
    box.innerHTML = inside;
    return box;
  }

  /** @returns {SVGSVGElement} */
  function ring() {
    return small(
      '<ellipse class="tamsk-fill-ring tamsk-line-ring-edge" cy="-8" rx="52" ry="37" stroke-width="2"/>' +
        '<ellipse class="tamsk-fill-hole" cy="-8" rx="32" ry="23"/>',
    );
  }

  /** @param {string} glass @returns {SVGSVGElement} */
  function glassOf(glass) {
    const box = small("");
    const off = document.querySelector(`[data-off="${glass}"] svg > g`);
    const drawn = drawnOf(glass) ?? off;
    if (drawn) {
      const copy = /** @type {SVGElement} */ (drawn.cloneNode(true));
      copy.removeAttribute("id");
      copy.setAttribute("transform", "scale(1.1)");
      copy.classList.remove("away");
      box.append(copy);
    }
    return box;
  }

  /** The glass that is carried is not seen where it was. */
  function hide() {
    for (const each of document.querySelectorAll(".tamsk-glass.away")) each.classList.remove("away");
    if (drag && drag.kind === "glass") drawnOf(drag.glass)?.classList.add("away");
  }

  /** Turn over what is carried; it is seen turning. */
  function turnCarried() {
    if (drag?.kind !== "glass") return;
    const { glass, player } = drag;
    turnOver(glass, player);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      carried.firstElementChild?.animate([{ rotate: "0deg" }, { rotate: "180deg" }], TURNING);
  }

  /** What was carried is let go. */
  function drop() {
    drag = null;
    carried.hidden = true;
    for (const place of document.querySelectorAll(".place.target")) place.classList.remove("target");
    hide();
  }

  /** @param {PointerEvent} event */
  async function letGo(event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { kind, player, glass, dx, dy, lifted } = drag;
    const scale = matrix().a;
    const below = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.matches(".rings"));
    const stack = kind === "ring" && /** @type {HTMLElement | undefined} */ (below)?.dataset.rings;
    const tube = stack ? "" : tubeAt(event.clientX + dx * scale, event.clientY + dy * scale);
    if (kind === "glass") {
      if (tube) choose(tube); // what comes next is done there: its ring, or the turn that was forgotten
      if (await lifted) await leave(glass, player, tube ? { do: "seat", tube } : { do: "put_away" }, tube);
    } else if (kind === "off") {
      if (tube) await act({ do: "place", player, tube, glass });
    } else if (glass) {
      const taker = stack ? handFor(stack) : player;
      const taken = tube !== glass && (await act({ do: "take", player: taker, tube: glass }));
      if (taken && tube) await act({ do: "drop", player, tube });
      if (taken && stack && stack !== taker) await give(taker);
    } else if ((await lifted) && !(tube && (await act({ do: "drop", player, tube })))) {
      await act({ do: "put_back", player, ...(stack && stack !== player ? { to: stack } : {}) }, tube);
    }
  }

  /**
   * @param {HTMLElement | SVGElement} from
   * @param {PointerEvent} event
   * @returns {(() => void) | null} what begins when the pointer drags it
   */
  function drags(from, event) {
    const { tube = "", glass = "", owner = "", rings, off } = from.dataset;
    if (from.matches(".held")) {
      const player = /** @type {Player} */ (from.dataset.player);
      if (seat !== "both" && seat !== player) return null;
      return () => take(event, { kind: "glass", player, glass, lifted: Promise.resolve(true) });
    }
    if (off) return () => take(event, { kind: "off", player: handFor(owner), glass: off, lifted: Promise.resolve(true) });
    if (rings && !tube) {
      const player = /** @type {Player} */ (rings);
      if (seat !== "both" && seat !== player) return null;
      return () => take(event, { kind: "ring", player, glass: "", lifted: act({ do: "take_up", player }) });
    }
    const place = document.getElementById(`place-${tube}`);
    if (!place) return null;
    const { x, y, rim, glass: standing = "", owner: whose = "" } = place.dataset;
    if (from.matches(".grab") && standing) {
      const foot = { x: Number(x), y: Number(y) - Number(rim) };
      return () => {
        const player = handFor(whose);
        take(event, { kind: "glass", player, glass: standing, lifted: lift(place, player) }, foot);
      };
    }
    if (Number(place.dataset.rings))
      return () => take(event, { kind: "ring", player: mine, glass: tube, lifted: Promise.resolve(true) });
    return null;
  }

  /**
   * Of things that lie over each other the own glass comes first, its foot and the tube around it included.
   * @param {PointerEvent} event
   * @returns {HTMLElement | SVGElement | null} what the pointer takes
   */
  function takenAt({ clientX, clientY, target }) {
    const things = ".held, .grab, .place, [data-rings]:not(.place), [data-off]";
    const first = /** @type {HTMLElement | SVGElement | null} */ (/** @type {Element} */ (target).closest(things));
    if (!first?.matches(".grab, .place")) return first;
    const whose = seat === "both" ? mover() : seat;
    const own = document.elementsFromPoint(clientX, clientY).find((each) => {
      const tube = each.closest(".grab, .place")?.getAttribute("data-tube");
      return tube && document.getElementById(`place-${tube}`)?.dataset.owner === whose;
    });
    const tube = own?.closest(".grab, .place")?.getAttribute("data-tube");
    return document.querySelector(`.grab[data-tube="${tube}"]`) ?? first;
  }

  /** @returns {string | undefined} the player who is to move */
  function mover() {
    return document.querySelector("#now .card.red.on") ? "red" : "black";
  }

  // Pointers

  main.addEventListener("pointerdown", (event) => {
    if (drag && event.pointerId !== drag.pointer) {
      event.preventDefault();
      turnCarried();
      return;
    }
    if (event.button !== 0 || drag || !(event.target instanceof Element)) return;
    const from = takenAt(event);
    if (!from) return;
    const begin = drags(from, event);
    pressed = { event, begin };
    if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    event.target.addEventListener("touchmove", keepStill, { passive: false });
  });
  addEventListener("pointermove", (event) => {
    if (drag) {
      if (event.pointerId === drag.pointer) carry(event);
    } else if (pressed && event.pointerId === pressed.event.pointerId) {
      const { event: down, begin } = pressed;
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < DRAG) return;
      pressed = null;
      begin?.();
    }
  });
  addEventListener("pointerup", (event) => {
    const tapped = pressed?.event.target;
    pressed = null;
    if (drag && event.pointerId === drag.pointer) {
      letGo(event);
      drop();
    } else if (tapped instanceof Element) {
      const tube = /** @type {HTMLElement | null} */ (tapped.closest("[data-tube]"))?.dataset.tube;
      if (tube) choose(tube);
    }
  });
  // A finger that drags something scrolls nothing; browsers know no `touch-action` inside a drawing. An element that
  // is removed under the finger still gets its touches, but the page around it does not: both listen.
  /** @param {Event} event */
  function keepStill(event) {
    if (drag || pressed?.begin) event.preventDefault();
  }
  main.addEventListener("touchmove", keepStill, { passive: false });
  addEventListener("pointercancel", (event) => {
    // The glass stays in the hand, where it can be taken again.
    pressed = null;
    if (drag && event.pointerId === drag.pointer) drop();
  });
  addEventListener(
    "wheel",
    (event) => {
      if (!drag) return;
      event.preventDefault();
      if (event.timeStamp - wheeled < WHEEL) return;
      wheeled = event.timeStamp;
      turnCarried();
    },
    { passive: false },
  );

  // Keys

  /** @param {string} tube */
  function choose(tube) {
    chosen = tube;
    mark();
    document.getElementById(`place-${tube}`)?.focus({ preventScroll: true });
  }

  /** Offer what is possible now with the chosen tube. */
  function offer() {
    const place = document.getElementById(`place-${chosen}`)?.dataset ?? {};
    const holds = Boolean(inHand().length);
    const side = /** @type {HTMLElement | null} */ (document.querySelector(`.rings[data-rings="${mine}"]`));
    const rings = side?.dataset.held !== "0" || side.textContent?.trim() !== "0";
    const handles = Boolean(place.glass) && (seat === "both" || place.owner === seat);
    /** @type {Record<string, boolean>} */
    const possible = {
      carry: holds || handles,
      turn: holds || handles,
      ring: rings,
      unring: Number(place.rings) > 0,
      give: rings,
      tip: holds || handles,
      away: holds,
      back: holds,
      hands: seat === "both",
    };
    for (const each of acting.querySelectorAll("[data-action]")) {
      const code = /** @type {HTMLElement} */ (each).dataset.action ?? "";
      each.toggleAttribute("disabled", possible[code] === false); // it keeps its place
    }
  }

  /** Of all tubes one can be reached by the tabulator. */
  function mark() {
    const places = [...document.querySelectorAll(NEAR_BOARD)];
    if (!document.getElementById(`place-${chosen}`))
      chosen = /** @type {HTMLElement | undefined} */ (places[0])?.dataset.tube ?? "";
    for (const place of places) {
      const is = /** @type {HTMLElement} */ (place).dataset.tube === chosen;
      place.setAttribute("tabindex", is ? "0" : "-1");
      place.classList.toggle("chosen", is);
    }
    const whose = document.querySelector("#whose");
    if (whose) whose.textContent = (mine === "red" ? acting.dataset.red : acting.dataset.black) ?? "";
    acting.dataset.mine = mine;
    offer();
  }

  /**
   * Go to the next tube along an axis of the hexagon: columns up and down, to the side the upper one, with Shift the
   * lower one.
   * @param {string} key
   * @param {boolean} lower
   */
  function go(key, lower) {
    const from = /** @type {HTMLElement | null} */ (document.getElementById(`place-${chosen}`));
    if (!from) return;
    const [x, y] = [Number(from.dataset.x), Number(from.dataset.y)];
    const aside = key === "ArrowLeft" || key === "ArrowRight";
    const wanted = [...document.querySelectorAll(NEAR_BOARD)]
      .map((each) => /** @type {HTMLElement} */ (each).dataset)
      .map((each) => ({ tube: each.tube ?? "", dx: Number(each.x) - x, dy: Number(each.y) - y }))
      .filter(({ dx, dy }) => {
        if (!aside) return Math.abs(dx) < 1 && (key === "ArrowUp" ? dy < 0 : dy > 0);
        return key === "ArrowLeft" ? dx < -1 : dx > 1;
      })
      .sort(
        (one, other) =>
          Math.abs(one.dx) - Math.abs(other.dx) ||
          Math.round(Math.abs(one.dy) - Math.abs(other.dy)) ||
          (lower ? other.dy - one.dy : one.dy - other.dy),
      );
    if (wanted.length) choose(wanted[0].tube);
  }

  /** What each action does with the chosen tube. @type {Record<string, () => unknown>} */
  const actions = {
    carry() {
      const place = /** @type {HTMLElement | null} */ (document.getElementById(`place-${chosen}`));
      const glass = inHand().at(-1);
      if (place?.dataset.glass) lift(place, handFor(place.dataset.owner ?? ""));
      else if (glass) leave(glass, mine, { do: "seat", tube: chosen }, chosen);
      mark();
    },
    async turn() {
      if (drag) return turnCarried();
      const glass = inHand().at(-1);
      if (glass) return turnOver(glass, mine);
      const place = /** @type {HTMLElement | null} */ (document.getElementById(`place-${chosen}`));
      if (!place?.dataset.glass) return;
      const name = place.dataset.glass;
      if (await lift(place, handFor(place.dataset.owner ?? "")))
        leave(name, mine, { do: "seat", tube: place.dataset.tube ?? "", turned: "yes" });
    },
    ring: () => act({ do: "drop", player: mine, tube: chosen }),
    unring: () => act({ do: "take", player: mine, tube: chosen }),
    give: () => give(mine),
    tip() {
      const place = /** @type {HTMLElement | null} */ (document.getElementById(`place-${chosen}`));
      const glass = inHand().at(-1);
      if (place?.dataset.leaning) return act({ do: "straighten", player: mine, tube: chosen });
      if (glass && !place?.dataset.glass) return leave(glass, mine, { do: "lean", tube: chosen }, chosen);
      return act({ do: "lean", player: mine, tube: chosen });
    },
    away() {
      const glass = drag?.kind === "glass" ? drag.glass : inHand().at(-1);
      const player = drag?.player ?? mine;
      if (drag) drop();
      if (glass) leave(glass, player, { do: "put_away" }, chosen);
    },
    async back() {
      const glass = drag?.kind === "glass" ? drag.glass : inHand().at(-1);
      const player = drag?.player ?? mine;
      if (drag) drop();
      const tube = glass && stood.get(glass);
      if (!glass || !tube) return;
      await deeds.get(glass);
      await leave(glass, player, { do: "seat", tube, ...(turned.has(glass) ? { turned: "yes" } : {}) }, tube);
    },
    timer() {
      const there = /** @type {HTMLElement | null} */ (document.querySelector("[data-timer]"))?.dataset.timer;
      return act({ do: there === "off" ? "place_timer" : "turn_timer", player: mine }, "");
    },
    hands() {
      if (seat === "both") mine = mine === "red" ? "black" : "red";
      mark();
    },
  };

  /** @type {Record<string, string>} */
  const codes = { Enter: "carry", t: "turn", " ": "turn", r: "ring", u: "unring", v: "give", l: "tip", p: "away", g: "timer", h: "hands" };

  /**
   * @param {KeyboardEvent} event
   * @returns {string} a key as `codes` names it: where keys have no Latin letters, by its place on the keyboard
   */
  function keyOf({ key, code }) {
    const letter = /^(?![\x00-\x7f]|\p{Script=Latin})/u.test(key) ? code.replace("Key", "") : key;
    return letter.length === 1 ? letter.toLowerCase() : letter;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const onBoard = Boolean(drag) || target === document.body || target.matches(".place, .held");
    if (event.key === "?") keys?.showModal();
    else if (event.key === "Escape") actions.back();
    else if (!onBoard) return;
    else if (event.key.startsWith("Arrow") && !drag && target !== document.body) go(event.key, event.shiftKey);
    else if (event.key === "Enter" && target === document.body) return;
    else {
      const code = codes[keyOf(event)];
      if (!code || event.repeat) return;
      actions[code]();
    }
    event.preventDefault();
  });
  acting.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.matches(".more")) acting.classList.toggle("all");
    const code = event.target instanceof Element && event.target.closest("button")?.dataset.action;
    if (code) actions[code]();
  });
  document.querySelector("#keys-close")?.addEventListener("click", () => keys?.close());
  main.addEventListener("focusin", (event) => {
    const tube = event.target instanceof Element && event.target.matches(".place") && event.target.id.slice("place-".length);
    if (tube && tube !== chosen) {
      chosen = tube;
      mark();
    }
  });

  // Buttons, stacks and what lies beside the board, by keyboard and by a tap.

  /** @type {{button: HTMLElement, timer: number, x: number, y: number} | null} */
  let holding = null;

  const sure = /** @type {HTMLDialogElement} */ (document.querySelector("#sure"));

  /** The button of which it is asked whether its long press is meant. */
  let asked = "";

  /**
   * A long press that takes something away is asked about first. On the page of a lesson start begins the lesson,
   * unless it is under way.
   * @param {HTMLElement} button
   * @param {boolean} long
   */
  function press(button, long) {
    const { press: name = "", asks } = button.dataset;
    const lesson = name === "start" && document.querySelector("#lesson:not(.setup, .prelude, .open) form button");
    if (lesson instanceof HTMLElement) lesson.click();
    else if (long && asks) {
      asked = name;
      /** @type {Element} */ (sure.firstElementChild).textContent = asks;
      sure.showModal();
    } else if (name === "start" && !long) start();
    else act({ do: "press", button: name, press: long ? "long" : "short" }, "");
  }

  /** @returns {string} level and players, as the choices before a game show them; "" once it has begun */
  function present() {
    const shown = /** @type {HTMLElement | null} */ (main.querySelector('#choose [role="group"] [aria-pressed="true"]'));
    if (!shown) return "";
    const { level, red, black } = JSON.parse(shown.dataset.choose ?? "{}");
    return String([level, red, black]);
  }

  /**
   * Choose what a button offers, and wait until that is seen: what the next one offers depends on it.
   * @param {string} key
   */
  async function pick(key) {
    const button = [...main.querySelectorAll("#choose button")].find((each) => each.getAttribute("data-key") === key);
    if (!(button instanceof HTMLElement)) return;
    const fields = JSON.parse(button.dataset.choose ?? "{}");
    if (!(await request("/table/choose", fields, ""))) return;
    const { level, red, black, lot } = fields;
    const chosen = ["", String([level, red, black]), ...(lot ? [String([level, black, red])] : [])];
    const ends = performance.now() + SEEN;
    while (!chosen.includes(present()) && performance.now() < ends) await new Promise((next) => setTimeout(next, LOOK));
  }

  /** Begin the game that was chosen; a board that is not set up does not begin it, and it is said why. */
  async function start() {
    await choices;
    const isPressed = await act({ do: "press", button: "start", press: "short" }, "");
    if (isPressed && main.querySelector("#now.setup.wrong")) refuse(main.querySelector("#headline .line")?.textContent ?? "", "");
  }

  sure.addEventListener("click", (event) => {
    const answer = event.target instanceof Element && event.target.closest("button")?.value;
    if (!answer) return;
    sure.close();
    if (answer === "yes") act({ do: "press", button: asked, press: "long" }, "");
  });

  main.addEventListener("pointerdown", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-press]");
    if (!(button instanceof HTMLElement) || event.button !== 0) return;
    button.classList.add("holding");
    const timer = setTimeout(() => {
      button.classList.remove("holding");
      holding = null;
      press(button, true);
    }, LONG);
    holding = { button, timer, x: event.clientX, y: event.clientY };
  });
  addEventListener("pointermove", (event) => {
    if (!holding || Math.hypot(event.clientX - holding.x, event.clientY - holding.y) < LEFT) return;
    clearTimeout(holding.timer); // it was a scroll, or somebody thought better of it
    holding.button.classList.remove("holding");
    holding = null;
  });
  for (const kind of ["pointerup", "pointercancel"])
    addEventListener(kind, () => {
      if (!holding) return;
      clearTimeout(holding.timer);
      holding.button.classList.remove("holding");
      if (kind === "pointerup") press(holding.button, false);
      holding = null;
    });
  main.addEventListener("click", async (event) => {
    const button = event.target instanceof Element && event.target.closest("#hands button, #answers button, #choose button");
    if (!(button instanceof HTMLElement)) return;
    const { press: pressing, rings, off, owner = "", timer, post, answer, key } = button.dataset;
    const byKey = event.detail === 0;
    if (pressing && byKey) press(button, event.shiftKey);
    else if (rings && byKey) act({ do: "drop", player: rings, tube: chosen });
    else if (off && byKey) act({ do: "place", player: handFor(owner), tube: chosen, glass: off });
    else if (timer) actions.timer();
    else if (key) choices = choices.then(() => pick(key));
    else if (post || answer) {
      button.setAttribute("disabled", "");
      if (answer) await request("/table/answer", { answer }, "");
      else await request(`/table/${post}`, {}, "", SETTING_UP);
      button.removeAttribute("disabled");
    }
  });

  // What is new on the table.

  document.addEventListener("shown", () => {
    for (const glass of [...lifting.keys()]) if (placeOf(glass)?.matches(".held")) lifting.delete(glass);
    if (drag?.kind === "glass" && !carried.getAnimations({ subtree: true }).length) show(glassOf(drag.glass));
    hide();
    changeSeat();
    mark();
    leaveToOther();
    remember();
  });

  /** The colour that the program does not play, where none was asked for: it may have changed before a game. */
  function changeSeat() {
    const played = /** @type {HTMLElement | null} */ (document.querySelector("#hands"))?.dataset.played;
    const free = played === "red" ? "black" : played === "black" ? "red" : "both";
    if (acting.dataset.changes === undefined || free === seat) return;
    acting.dataset.seat = seat = free;
    if (seat !== "both") mine = /** @type {Player} */ (seat);
  }

  /** @returns {boolean} a game is played, and no lesson */
  function isGame() {
    return Boolean(document.querySelector("#now.play, #now.sand")) && !document.querySelector("#lesson");
  }

  /** Who has played here is not advised any more what to begin with. */
  function remember() {
    try {
      if (isGame()) localStorage.setItem(PLAYED, "yes");
      document.body.classList.toggle("played", localStorage.getItem(PLAYED) !== null);
    } catch {
      // Storage is closed to this page.
    }
  }

  /** The other player's button and rings are not for this seat, and a game that is played is not started. */
  function leaveToOther() {
    const isPlayed = isGame();
    for (const each of main.querySelectorAll("[data-press], .rings")) {
      const { press: pressing, rings } = /** @type {HTMLElement} */ (each).dataset;
      const whose = pressing ?? rings;
      const isLeft = whose === "start" ? isPlayed : seat !== "both" && whose !== seat;
      if (isLeft && each.matches(":focus-visible")) choose(chosen);
      each.toggleAttribute("disabled", isLeft);
    }
  }
  document.addEventListener("told", (event) => {
    const { timer } = /** @type {CustomEvent<{timer: number}>} */ (event).detail;
    const drawn = document.getElementById("seen-timer");
    if (drawn && timer !== undefined) pour(drawn, [timer, timer]);
  });
  mark();
  leaveToOther();
  remember();
}
