// The page on which people play: the table, and the hands of their seat at it.

import "./scoreboard.js";
import { useHands } from "./hands.js";
import { onlyWatch, sitDownByLink } from "./seat.js";

sitDownByLink();
const acting = /** @type {HTMLElement} */ (document.querySelector("#acting"));
if (acting.dataset.seat === "none") onlyWatch();
else useHands();
