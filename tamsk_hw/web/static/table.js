// The page on which people play: the table, and their hands at it.

import "./scoreboard.js";
import { useHands } from "./hands.js";

useHands();
