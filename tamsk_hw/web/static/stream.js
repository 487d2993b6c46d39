// One stream of events for all pages of a browser that follow the same table. A browser has six connections to an
// address, and a stream holds one for good. This runs as a shared worker, or within a page where there are none.

/** Milliseconds before a program that answers with an error is asked again; the browser does not do that itself. */
const RETRY = 1000;

/** Milliseconds for which a new connection is left to begin, whoever else wants one. */
const BEGINNING = 3000;

/** Events with a place in the stream, and others: browsers give those the place of the last one, too. */
const PLACED = ["game", "ruling", "decision"];
const OTHERS = ["service", "state", "lesson", "hall", "tournaments", "alive"];

/** @type {Map<string, Stream>} */
const streams = new Map();

/**
 * @param {string} one a place in the stream, a life and a number; "" for none
 * @param {string} other
 * @returns {string} the earlier one; "", from which the game is sent whole, when they cannot be compared
 */
function earlier(one, other) {
  const [[life, seq], [otherLife, otherSeq]] = [one, other].map((place) => place.split("-"));
  if (life !== otherLife) return "";
  return Number(seq) < Number(otherSeq) ? one : other;
}

class Stream {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    this.place = "";
    /** @type {Set<MessagePort>} */
    this.ports = new Set();
    /** @type {EventSource | undefined} */
    this.source = undefined;
    this.retry = 0;
    this.opened = 0;
  }

  /**
   * Have a page follow, or connect again. A page passes over what it had already, so all of them may be sent more.
   * @param {MessagePort} port
   * @param {string} since the place of the last line that this page had
   */
  join(port, since) {
    if (this.ports.has(port) && Math.abs(Date.now() - this.opened) < BEGINNING) return;
    this.place = this.ports.size ? earlier(this.place, since) : since;
    this.ports.add(port);
    this.open();
  }

  /** @param {MessagePort} port */
  leave(port) {
    if (this.ports.delete(port) && !this.ports.size) this.close();
  }

  close() {
    clearTimeout(this.retry);
    this.source?.close();
  }

  open() {
    this.close();
    this.opened = Date.now();
    const source = new EventSource(`${this.address}&since=${encodeURIComponent(this.place)}`);
    this.source = source;
    for (const kind of [...PLACED, ...OTHERS])
      source.addEventListener(kind, (event) => {
        const { data, lastEventId } = /** @type {MessageEvent} */ (event);
        const place = PLACED.includes(kind) ? lastEventId : "";
        this.place = place || this.place;
        this.tell({ kind, data, place });
      });
    source.addEventListener("error", () => {
      this.tell({ kind: "cut" });
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.open(), RETRY);
    });
  }

  /** @param {{kind: string, data?: string, place?: string}} message */
  tell(message) {
    for (const port of this.ports) port.postMessage(message);
  }
}

/** @param {MessagePort} port by which a page joins streams and leaves them */
export function serve(port) {
  port.onmessage = ({ data: { address, since } }) => {
    const stream = streams.get(address) ?? new Stream(address);
    streams.set(address, stream);
    if (since === undefined) stream.leave(port);
    else stream.join(port, since);
  };
}

/** @type {any} */ (globalThis).onconnect = (/** @type {MessageEvent} */ event) => serve(event.ports[0]);
