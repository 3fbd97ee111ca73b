// Colours: those that were chosen, or those of the device.

const LIGHT = matchMedia("(prefers-color-scheme: light)");
const CONTRAST = matchMedia("(prefers-contrast: more)");
let chosen = "system";

const ofDevice = () => (CONTRAST.matches ? "contrast" : LIGHT.matches ? "light" : "felt");

export function paint(theme = chosen) {
  chosen = theme;
  document.documentElement.dataset.theme = theme === "system" ? ofDevice() : theme;
}

for (const each of [LIGHT, CONTRAST]) each.addEventListener?.("change", () => paint());
paint();
