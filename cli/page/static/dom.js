// Elements without markup: whatever is said by others becomes text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [each, said] of Object.entries(value)) element.style.setProperty(each, said);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

export const h = (tag, props, ...children) => filled(document.createElement(tag), props, children);

export const s = (tag, props, ...children) => filled(document.createElementNS(SVG, tag), props, children);

// Something that can be pressed. `key` keeps the focus on it when it is drawn anew.
export function button(label, pressed, props = {}) {
  const { key, ...rest } = props;
  return h("button", { type: "button", onclick: pressed, "data-key": key ?? null, ...rest }, label);
}

// Draws a part anew only where what it shows is another; the focus stays on what has the same key.
export class Part {
  constructor(element) {
    this.element = element;
    this.shown = null;
  }

  // What nobody sees is not kept.
  clear() {
    this.shown = null;
    this.element.replaceChildren();
  }

  show(about, draw) {
    const now = JSON.stringify(about);
    if (now === this.shown) return false;
    this.shown = now;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const scrolled = [...this.element.querySelectorAll("[data-scrolls]")].map((each) => [each.dataset.scrolls, each.scrollTop]);
    this.element.replaceChildren(...[draw()].flat(Infinity).filter(Boolean));
    for (const [name, top] of scrolled) {
      const same = this.element.querySelector(`[data-scrolls="${CSS.escape(name)}"]`);
      if (same && top) same.scrollTop = top; // even 0 makes the browser lay out everything at once
    }
    if (focused) this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    return true;
  }
}

export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
