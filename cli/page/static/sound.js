// Two soft notes when it is one's turn, made here: no files. Browsers allow sound only after the first tap.

const NOTES = [660, 880];

export class Sound {
  wake() {
    const Context = globalThis.AudioContext;
    if (!this.context && Context) this.context = new Context();
    return (this.context?.state === "suspended" ? this.context.resume() : Promise.resolve()).catch(() => {});
  }

  ring(times, isOurs, isWanted) {
    if (isOurs && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(times > 1 ? [30, 60, 30] : 40);
    if (!isWanted || this.context?.state !== "running") return;
    for (let each = 0; each < times * 2; each++) this.note(NOTES[each % 2], this.context.currentTime + each * 0.16);
  }

  note(pitch, at) {
    const tone = this.context.createOscillator();
    const loud = this.context.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(0.12, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(loud).connect(this.context.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  }
}
