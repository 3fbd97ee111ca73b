// What the page keeps, in the browser's database. Every transaction checks that no newer tab has taken the seat.

const NAME = "fairdeal";

function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("aborted"));
  });
}

function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("log", { autoIncrement: true });
    request.result.createObjectStore("files");
    request.result.createObjectStore("about");
  };
  return asked(request);
}

// Whether somebody has sat down here: then their name is known, too.
export async function hasHome() {
  try {
    const base = await opened();
    const found = await asked(base.transaction("files").objectStore("files").count());
    base.close();
    return found > 0;
  } catch {
    return false; // the store says what is wrong when it is to keep something
  }
}

export class Store {
  // Takes the seat from any older tab, which is told: `taken` is called there.
  async open(taken) {
    this.base = await opened();
    const writing = this.base.transaction("about", "readwrite", { durability: "strict" });
    const about = writing.objectStore("about");
    this.lease = ((await asked(about.get("lease"))) ?? 0) + 1;
    about.put(this.lease, "lease");
    await done(writing);
    const tabs = new BroadcastChannel(NAME);
    tabs.onmessage = ({ data }) => data > this.lease && taken();
    tabs.postMessage(this.lease);
  }

  async load() {
    const reading = this.base.transaction(["log", "files"]);
    const log = asked(reading.objectStore("log").getAll());
    const names = asked(reading.objectStore("files").getAllKeys());
    const files = asked(reading.objectStore("files").getAll());
    return { log: await log, names: await names, files: await files };
  }

  async save(change, names, files) {
    await this.write((writing) => {
      writing.objectStore("log").add(change);
      names.forEach((name, at) => writing.objectStore("files").put(files[at], name));
    });
  }

  async replace(change) {
    await this.write((writing) => {
      writing.objectStore("log").clear();
      writing.objectStore("log").add(change);
    });
  }

  async write(put) {
    const writing = this.base.transaction(["log", "files", "about"], "readwrite", { durability: "strict" });
    const ended = done(writing);
    let isTaken = false;
    const lease = writing.objectStore("about").get("lease");
    lease.onsuccess = () => {
      isTaken = lease.result !== this.lease;
      if (isTaken) writing.abort();
      else put(writing);
    };
    try {
      await ended;
    } catch (fault) {
      throw new Error(isTaken ? "taken" : String(fault));
    }
  }
}
