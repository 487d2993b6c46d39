// Signs in by the token in the address's fragment, which is not sent to anybody and does not stay in the history.

const given = new URLSearchParams(location.hash.slice(1)).get("token");
const form = /** @type {HTMLFormElement} */ (document.querySelector("#sign-in"));
const token = /** @type {HTMLInputElement} */ (document.querySelector("#token"));

if (location.hash) history.replaceState(null, "", location.pathname);
if (given) {
  token.value = given;
  form.requestSubmit();
}
