// What the page keeps, in the browser's database. Every transaction checks that no newer tab has taken the seat.

const NAME = "fairdeal";
const ANSWER_MS = 10000; // some browsers never answer

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

async function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("log", { autoIncrement: true });
    request.result.createObjectStore("files");
    request.result.createObjectStore("about");
  };
  let timer;
  const silence = new Promise((_, reject) => (timer = setTimeout(reject, ANSWER_MS, new Error("no answer"))));
  try {
    return await Promise.race([asked(request), silence]);
  } finally {
    clearTimeout(timer);
  }
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
  // `failed` is told why nothing can be kept any more.
  constructor(failed) {
    this.failed = failed;
    this.number = 0; // of the last change in the log
  }

  // Takes the seat from any older tab, which is told: `taken` is called there.
  async open(taken) {
    this.base = await opened();
    const writing = this.base.transaction("about", "readwrite", { durability: "strict" });
    const about = writing.objectStore("about");
    // Also in a database that was emptied since: whoever had the seat before finds that another tab has it.
    this.lease = Math.max(((await asked(about.get("lease"))) ?? 0) + 1, Date.now());
    about.put(this.lease, "lease");
    await done(writing);
    const tabs = new BroadcastChannel(NAME);
    tabs.onmessage = ({ data }) => data > this.lease && taken();
    tabs.postMessage(this.lease);
  }

  async load() {
    const reading = this.base.transaction(["log", "files"]);
    const log = asked(reading.objectStore("log").getAll());
    const numbers = asked(reading.objectStore("log").getAllKeys());
    const names = asked(reading.objectStore("files").getAllKeys());
    const files = asked(reading.objectStore("files").getAll());
    this.number = (await numbers).at(-1) ?? 0;
    return { log: await log, names: await names, files: await files };
  }

  save(change, names, files) {
    const number = ++this.number;
    return this.write((writing) => {
      writing.objectStore("log").put(change, number);
      names.forEach((name, at) => writing.objectStore("files").put(files[at], name));
    });
  }

  replace(change) {
    const number = ++this.number;
    return this.write((writing) => {
      writing.objectStore("log").clear();
      writing.objectStore("log").put(change, number);
    });
  }

  // Everything, into a database that was emptied.
  renew(change, names, files) {
    const number = ++this.number;
    return this.write((writing) => {
      writing.objectStore("about").put(this.lease, "lease");
      writing.objectStore("log").put(change, number);
      names.forEach((name, at) => writing.objectStore("files").put(files[at], name));
    }, true);
  }

  // Browsers cut the connection when a phone has slept, or what is kept is cleared: then once more with another. Nothing is written
  // twice by that, for each change has its number. Rejects with "taken", with "emptied", or with what the browser says.
  async write(put, isRenewed = false) {
    try {
      await this.tried(put, isRenewed).catch(async (fault) => {
        if (["taken", "emptied"].includes(fault.message) || fault.name === "QuotaExceededError") throw fault;
        this.base.close();
        this.base = await opened();
        await this.tried(put, isRenewed);
      });
    } catch (fault) {
      if (fault.message !== "emptied") this.failed(fault);
      throw new Error(fault.name === "Error" ? fault.message : String(fault));
    }
  }

  async tried(put, isRenewed) {
    const writing = this.base.transaction(["log", "files", "about"], "readwrite", { durability: "strict" });
    const ended = done(writing);
    let why = null;
    const lease = writing.objectStore("about").get("lease");
    lease.onsuccess = () => {
      if (lease.result === undefined && !isRenewed) why = "emptied";
      else if (lease.result !== this.lease && lease.result !== undefined) why = "taken";
      if (why) writing.abort();
      else put(writing);
    };
    try {
      await ended;
    } catch (fault) {
      throw why ? new Error(why) : fault;
    }
  }
}
