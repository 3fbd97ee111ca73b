// Pyodide's event loop takes its turns by messages to itself. Chromium hands on all messages of such a channel before anything
// else that a worker hears: a loop that is never idle, such as while a phone catches up, would hear no tap, no timer and no link
// for as long. This channel takes a timer now and then instead, and whatever waits has its turn before.

export const SLICE_MS = 50;

export function fairChannel(Channel, later = setTimeout, clock = () => performance.now()) {
  return class {
    constructor() {
      const { port1, port2 } = new Channel();
      let isDue = false;
      let since = clock();
      const turn = () => {
        isDue = false;
        this.port1.onmessage?.({ data: 0 }); // takes whatever is due by then
      };
      port1.onmessage = turn;
      this.port1 = { onmessage: null };
      this.port2 = {
        postMessage: () => {
          if (isDue) return;
          isDue = true;
          if (clock() - since < SLICE_MS) port2.postMessage(0);
          else later(() => ((since = clock()), turn()), 0);
        },
      };
    }
  };
}
