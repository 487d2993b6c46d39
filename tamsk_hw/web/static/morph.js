// Makes one tree of elements into another with as few changes as there are differences.
// An element with `data-same` stands for the one that is there already, with all that is in it. What a person has
// chosen, opened or typed stays; what is gone of it is said to be gone.

/** Fields of which a person has chosen the value. @type {WeakSet<EventTarget>} */
const chosen = new WeakSet();
document.addEventListener("change", ({ target }) => target && chosen.add(target));

/**
 * @param {Element} old the element that is shown
 * @param {Element} fresh what it should be; its children may be taken over
 */
export function morph(old, fresh) {
  if (fresh.hasAttribute("data-same") || old.isEqualNode(fresh)) return;
  const choice = old instanceof HTMLSelectElement && chosen.has(old) ? old.selectedOptions[0] : undefined;
  const usual = /** @type {HTMLSelectElement} */ (fresh).value;
  attributes(old, fresh);
  children(old, fresh);
  if (choice) choose(/** @type {HTMLSelectElement} */ (old), choice);
  else if (old instanceof HTMLSelectElement) old.value = usual;
}

/**
 * @param {HTMLSelectElement} select
 * @param {HTMLOptionElement} option which a person has chosen; it may not be among those to choose from any more
 */
function choose(select, option) {
  if (option.parentNode !== select) {
    option.text = (select.dataset.gone ?? "{}").replace("{}", option.value);
    select.append(option);
  }
  option.selected = true;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function attributes(old, fresh) {
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

/**
 * @param {Node | null} node
 * @returns {string} by which an element is known again among others of the same parent; "" without one
 */
function key(node) {
  if (node instanceof HTMLOptionElement) return node.value;
  return node instanceof HTMLElement ? node.id + (node.dataset.key ?? "") : node instanceof Element ? node.id : "";
}

/**
 * @param {Node} node
 * @returns {string} what two nodes must share for one to become the other
 */
function kind(node) {
  return node instanceof Element ? `${node.tagName}#${key(node)}` : String(node.nodeType);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function children(old, fresh) {
  /** @type {Map<string, Element>} */
  const known = new Map();
  for (const child of old.children) if (key(child)) known.set(kind(child), child);
  const wantedKinds = new Set([...fresh.children].filter(key).map(kind));
  let place = old.firstChild;
  const drop = () => {
    const next = place && place.nextSibling;
    place?.remove();
    place = next;
  };
  for (const wanted of [...fresh.childNodes]) {
    const same = key(wanted) ? known.get(kind(wanted)) : undefined;
    // What is not wanted goes rather than that an element moves, which would lose the focus.
    while (same && place && place !== same && !wantedKinds.has(kind(place))) drop();
    if (same && same !== place) {
      old.insertBefore(same, place);
      place = same;
    }
    if (place && kind(place) === kind(wanted)) {
      if (place instanceof Element) morph(place, /** @type {Element} */ (wanted));
      else if (place.nodeValue !== wanted.nodeValue) place.nodeValue = wanted.nodeValue;
      place = place.nextSibling;
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) drop();
}
