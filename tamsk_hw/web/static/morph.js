// Makes one tree of elements into another with as few changes as there are differences.
// An element with `data-same` stands for the one that is there already, with all that is in it.

/**
 * @param {Element} old the element that is shown
 * @param {Element} fresh what it should be; its children may be taken over
 */
export function morph(old, fresh) {
  if (fresh.hasAttribute("data-same") || old.isEqualNode(fresh)) return;
  attributes(old, fresh);
  children(old, fresh);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function attributes(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

/**
 * @param {Node} node
 * @returns {string} what two nodes must share for one to become the other
 */
function kind(node) {
  return node instanceof Element ? `${node.tagName}#${node.id}` : String(node.nodeType);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function children(old, fresh) {
  /** @type {Map<string, Element>} */
  const named = new Map();
  for (const child of old.children) if (child.id) named.set(child.id, child);
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const known = wanted instanceof Element && wanted.id ? named.get(wanted.id) : undefined;
    // Space between elements is put anew rather than an element moved, which would lose the focus.
    while (known && place instanceof Text) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
    if (known && known !== place && known.tagName === /** @type {Element} */ (wanted).tagName) {
      old.insertBefore(known, place);
      place = known;
    }
    if (place && kind(place) === kind(wanted)) {
      if (place instanceof Element) morph(place, /** @type {Element} */ (wanted));
      else if (place.nodeValue !== wanted.nodeValue) place.nodeValue = wanted.nodeValue;
      place = place.nextSibling;
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}
