// A screen for the whole room rings for whom the table waits, once somebody there has turned that on: browsers allow no sound before.

import { icon } from "./cards.js";
import { Part, button, h } from "./dom.js";

export class Speaker {
  constructor(root, sound) {
    this.sound = sound;
    this.isOn = false;
    this.part = new Part(h("div", { class: "speaker" }));
    root.append(this.part.element);
  }

  show({ sound }) {
    this.label = sound;
    this.part.show([this.isOn, sound], () => button(icon(this.isOn ? "sound" : "silence"), () => this.turn(), { key: "sound", class: "round", "aria-label": sound, "aria-pressed": String(this.isOn) }));
  }

  turn() {
    this.isOn = !this.isOn;
    this.show({ sound: this.label });
    if (this.isOn) this.sound.wake().then(() => this.ring(1)); // so that one hears how loud it is
  }

  ring(times) {
    this.sound.ring(times, false, this.isOn);
  }
}
