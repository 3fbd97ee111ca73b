// Keeps the screen on while the page is looked at: browsers do so while a video plays. This one is a few dark dots, without sound.
// The usual way (a wake lock) needs a secure page.

const SIZE = 32;
const FRAME_MS = 1000;

export class Awake {
  constructor(element) {
    this.element = element;
    element.addEventListener("pointerdown", () => this.begin(), { once: true });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.video?.play().catch(() => {}));
  }

  // Only a tap may start a video.
  begin() {
    if (this.video) return;
    const canvas = document.createElement("canvas");
    if (!canvas.captureStream) return;
    canvas.width = canvas.height = SIZE;
    const pen = canvas.getContext("2d");
    let frame = 0;
    const draw = () => {
      pen.fillStyle = frame++ % 2 ? "#08231b" : "#08231c";
      pen.fillRect(0, 0, SIZE, SIZE);
    };
    draw();
    this.video = document.createElement("video");
    Object.assign(this.video, { muted: true, playsInline: true, loop: true, srcObject: canvas.captureStream(1) });
    this.video.className = "awake";
    for (const [name, value] of [["playsinline", ""], ["muted", ""], ["aria-hidden", "true"], ["tabindex", "-1"]]) this.video.setAttribute(name, value);
    this.element.append(this.video);
    setInterval(() => document.visibilityState === "visible" && draw(), FRAME_MS);
    this.video.play().catch(() => this.video.remove());
  }
}
