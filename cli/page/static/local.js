// The page of the local client: everything secret stays in the program.

import { SocketLink } from "./link.js";
import { Page } from "./main.js";

globalThis.fairdeal = true;
new Page(document.getElementById("app"), (calls) => new SocketLink(calls));
