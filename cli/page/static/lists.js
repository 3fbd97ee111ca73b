// Everything but the table: lobby, room, forms, settings, menus, score sheets and running text.

import { icon, sentence, suit } from "./cards.js";
import { button, capital, h, s } from "./dom.js";
import { calledAs, face, isBot, meet, ownName, peopleIn } from "./faces.js";

const lines = (all) => all.map((line) => h("p", {}, line.map(([text, ink]) => h("span", { class: `ink-${ink}` }, sentence(text)))));

function bar(frame, page, act, backName) {
  const back = frame.actions.find((each) => each.name === backName || each.name === "back" || each.name === "quit" || each.name === "escape");
  return h(
    "header",
    { class: "bar" },
    back ? button(icon("back"), () => act(back.name), { key: "back", class: "round", "aria-label": capital(back.label) }) : h("span", { class: "round" }),
    h("div", { class: "titles" }, h("h1", {}, frame.title.split(" · ").map((each) => h("bdi", {}, each))), frame.subtitle ? h("p", {}, h("bdi", {}, frame.subtitle)) : null),
    frame.right.map(([text, ink]) => h("span", { class: `piece ink-${ink}` }, h("bdi", {}, text))),
  );
}

function prompt(frame) {
  const told = frame.prompt || frame.banner;
  return told || frame.head ? h("div", { class: "prompt", role: "status", "data-mood": frame.mood }, h("div", { class: "words" }, frame.head ? h("b", { class: "head" }, frame.head) : null, sentence(told))) : null;
}

const foot = (...children) => h("div", { class: "actions" }, children);

const usual = (frame, act, left = new Set()) =>
  frame.actions.filter((each) => !left.has(each.name) && !["back", "quit", "escape"].includes(each.name)).map((each) => button(capital(each.label), () => act(each.name, each.arg), { key: each.name }));

// --- lists ---

export function drawList(view, send, page) {
  const shapes = { room: drawRoom, lobby: drawLobby, menu: drawMenu };
  return (shapes[view.list] ?? drawForm)(view, send, page);
}

function drawLobby(view, { act, choose }, page) {
  const quiet = new Set(["new", "address"]);
  return [
    bar(view.frame, page, act),
    h(
      "main",
      { class: "sheet", "data-scrolls": "main" },
      h("section", { class: "panel" }, h("h2", {}, view.heading, h("small", {}, view.note)), view.rows.length ? view.rows.map((row) => drawTableRow(row, choose)) : view.empty.map((each) => h("p", { class: "ink-dim" }, sentence(each)))),
      h("section", { class: "panel rows" }, view.deeds.filter((each) => each.label).map((row) => button([h("bdi", {}, row.cells[0]), icon("chevron")], () => act(row.id, row.id), { key: row.id, class: `row${row.id === view.focus ? " first" : ""}` }))),
      extras(page),
    ),
    prompt(view.frame),
    foot(usual(view.frame, act, quiet), button(capital(page.texts.rules), () => act("help"), { key: "help" })),
  ];
}

function drawTableRow(row, choose) {
  const [title, game, seats, state, host] = row.cells;
  return button(
    [h("span", { class: "who" }, h("b", {}, h("bdi", {}, title)), h("span", { class: "ink-dim" }, h("bdi", {}, [game, seats, state, host].filter(Boolean).join(" · ")))), h("span", { class: "go" }, capital(row.label))],
    () => choose(row.id),
    { key: `row-${row.id}`, class: "row" },
  );
}

// What the page offers by itself.
const extras = (page) => page.extras.map((each) => button(each.label, each.done, { key: each.name, class: "quiet extra" }));

// Two cards for the game that is played.
export const emblem = () => h("span", { class: "emblem", "aria-hidden": "true" }, h("span", {}, suit("♥", "h")), h("span", {}, suit("♠", "s")));

// A line without what its first text begins with.
const without = ([[text, ink], ...rest], begun) => [[text.startsWith(begun) ? text.slice(begun.length) : text, ink], ...rest];

function drawRoom(view, { act, choose }, page) {
  const mine = view.rows.find((row) => row.id === view.focus);
  meet(view.rows.map((row) => ({ name: row.cells[1], key: row.key, is_bot: row.device === "bot" })));
  const starts = view.deeds.find((each) => each.id === "start");
  const removes = view.deeds.some((each) => each.id === "send-away");
  const told = mine?.prompt || view.frame.prompt;
  const isReady = Boolean(mine?.cells[2].startsWith("✓"));
  const isPlayed = (line) => line.some(([, ink]) => ink === "strong");
  const [played, notes] = [view.facts.filter(isPlayed), view.facts.filter((line) => !isPlayed(line))];
  return [
    bar({ ...view.frame, subtitle: "" }, page, act), // the game stands below
    h(
      "main",
      { class: "sheet", "data-scrolls": "main" },
      h("section", { class: "panel game" }, emblem(), h("div", {}, h("h2", {}, h("bdi", {}, view.frame.subtitle || view.heading), h("small", {}, view.note)), lines(played.map((line) => without(line, `${view.frame.subtitle} · `))))),
      h(
        "section",
        { class: "panel rows" },
        view.rows.map((row) => {
          const [, name, state, about] = row.cells;
          const isFree = !state && row.ink === "dim" && row.id !== view.focus;
          return h(
            "div",
            { class: `row member${isFree ? " free" : ""}` },
            h("span", { class: "portrait" }, isFree ? h("span", { class: "empty" }) : face(name, { isBot: row.device === "bot" })),
            h("span", { class: "who" }, h("b", {}, h("bdi", {}, name)), h("span", { class: "ink-dim" }, row.device ? icon(row.device) : null, h("bdi", {}, about))),
            isFree && row.label ? button(capital(row.label), () => choose(row.id), { key: `row-${row.id}` }) : h("span", { class: state.startsWith("✓") ? "ink-ok" : "ink-dim" }, state),
            removes && !isFree && row.id !== view.focus ? button(icon("cross"), () => act("send-away", row.id), { key: `away-${row.id}`, class: "round", "aria-label": view.deeds.find((each) => each.id === "send-away").cells[0] }) : null,
          );
        }),
        view.empty.map((each) => h("p", { class: "ink-dim" }, each)),
      ),
      notes.length ? h("section", { class: "panel facts-of-room" }, lines(notes)) : null,
      view.deeds.filter((each) => !["start", "send-away"].includes(each.id)).map((row) => button([icon("plus"), capital(row.cells[0])], () => act(row.id, null), { key: row.id, class: "wide-button" })),
      extras(page),
      view.chat.length ? h("section", { class: "panel chat" }, h("h2", {}, view.chat_title), view.chat.map(([text, ink]) => h("p", { class: `ink-${ink}` }, h("bdi", {}, text)))) : null,
    ),
    told ? prompt({ ...view.frame, prompt: view.frame.prompt || told, mood: view.frame.mood }) : null,
    foot(
      view.frame.actions.some((each) => each.name === "chat") ? button(icon("smile"), () => act("chat", ""), { key: "chat", class: "square", "aria-label": view.chat_title }) : null,
      usual(view.frame, act, new Set(["chat"])),
      starts ? button(capital(starts.cells[0]), () => act("start", null), { key: "start", class: "primary" }) : mine?.label ? button([isReady ? icon("check") : null, capital(mine.label)], () => choose(mine.id), { key: "ready", class: isReady ? "" : "primary", "aria-pressed": String(isReady) }) : null,
    ),
  ];
}

function drawMenu(view, { act, choose }, page) {
  return [
    bar(view.frame, page, act),
    h(
      "main",
      { class: "sheet middle-high" },
      h("h2", { class: "question" }, sentence(view.heading)),
      view.rows.map((row) => button([h("span", { class: "who" }, h("b", {}, h("bdi", {}, row.label)), row.about.length ? h("span", { class: "ink-dim" }, h("bdi", {}, row.about.flat().map(([text]) => text).join(""))) : null)], () => choose(row.id), { key: `row-${row.id}`, class: `wide-button${row.id === view.focus ? " primary" : ""}` })),
    ),
    view.frame.mood === "no" ? prompt(view.frame) : null,
    view.rows.length ? null : foot(view.frame.actions.map((each) => button(capital(each.label), () => act(each.name), { key: each.name }))),
  ];
}

function drawForm(view, { act, choose }, page) {
  const strong = view.rows.find((row) => row.ink === "strong");
  return [
    bar(view.frame, page, act, "back"),
    h(
      "main",
      { class: "sheet", "data-scrolls": "main" },
      h("section", { class: "panel rows" }, h("h2", {}, view.heading), view.rows.filter((row) => row !== strong).map((row) => drawSetting(row, act, choose, page))),
      view.facts.length ? h("section", { class: "panel" }, lines(view.facts)) : null,
    ),
    view.frame.mood === "no" ? prompt(view.frame) : !strong && view.frame.head ? prompt({ ...view.frame, prompt: "" }) : null,
    foot(usual(view.frame, act, new Set()), strong ? button(capital(strong.cells[0]), () => choose(strong.id), { key: `row-${strong.id}`, class: "primary" }) : button(capital(page.texts.close), () => act("back"), { key: "done", class: "primary" })),
  ];
}

function drawSetting(row, act, choose, page) {
  const [label, value] = row.cells;
  const about = row.about.length ? h("span", { class: "ink-dim about" }, row.about.flat().map(([text]) => sentence(text))) : null;
  const who = h("span", { class: "who" }, h("b", {}, h("bdi", {}, label)), about);
  const opens = row.label && !row.numbers.length;
  if (row.can_change && !opens) {
    return h(
      "div",
      { class: `row setting${row.starts_group ? " begins" : ""}`, role: "group", "aria-label": label },
      who,
      h(
        "span",
        { class: "stepper" },
        button(icon("minus"), () => act("change", [row.id, -1]), { key: `less-${row.id}`, class: "round", "aria-label": `${label}: ${page.texts.less}` }),
        h("output", {}, sentence(value ?? "")),
        button(icon("plus"), () => act("change", [row.id, 1]), { key: `more-${row.id}`, class: "round", "aria-label": `${label}: ${page.texts.more}` }),
      ),
    );
  }
  return button([who, h("output", {}, sentence(value ?? "")), opens ? icon("chevron") : null], () => choose(row.id), { key: `row-${row.id}`, class: `row setting${row.starts_group ? " begins" : ""}` });
}

// --- score sheet ---

const faceOf = (name, mood) => face(name, { isBot: isBot(name), mood });
const facesOf = (text, mood) => h("span", { class: "faces" }, peopleIn(text).map((each) => faceOf(each, mood)));

// For whoever has won: suits that fly about. Each with its place beside the middle, its size and its turn.
const TOSSED = [
  ...[["♠", "s", -92, 8, 13, -20], ["♣", "c", -70, 14, 17, 8], ["♥", "h", -118, 34, 15, 12], ["♦", "d", -78, 46, 12, 20], ["♥", "h", -132, 68, 13, -28], ["♥", "h", -92, 76, 14, 6], ["♠", "s", -62, 86, 11, -8]],
  ...[["♠", "s", 62, 12, 15, 12], ["♣", "c", 88, 6, 13, -14], ["♦", "d", 108, 34, 15, -20], ["♥", "h", 70, 44, 12, 16], ["♠", "s", 122, 70, 12, 24], ["♦", "d", 88, 78, 13, 6], ["♣", "c", 62, 88, 11, -10]],
];
const confetti = () =>
  h("span", { class: "confetti", "aria-hidden": "true" }, TOSSED.map(([glyph, ink, x, y, size, turn], nth) => h("span", { vars: { "--x": x, "--y": y, "--size": size, "--turn": turn, "--nth": nth } }, suit(glyph, ink))));

// What is told below the points, in parts: an empty line parts two of them.
export function partsOf(facts) {
  const parts = [[]];
  for (const line of facts) {
    if (line.every(([text]) => !text.trim())) parts.push([]);
    else parts.at(-1).push(line);
  }
  return parts.filter((each) => each.length);
}

// A golden line says what the next ones are about; a line that begins with a name is about that player.
function drawFact(line) {
  const [[first, ink], ...rest] = line;
  if (ink === "gold" && !rest.length) return h("h2", {}, sentence(first.trim()));
  const told = (pieces) => pieces.map(([text, each]) => h("span", { class: `ink-${each}` }, sentence(text.trim())));
  if (ink !== "strong" || !rest.length) return h("p", {}, told(line));
  return h("p", { class: "of" }, faceOf(calledAs(first.trim()), "smile"), h("b", {}, h("bdi", {}, first.trim())), told(rest));
}

export function drawScores(view, send, page) {
  const { act } = send;
  const play = view.frame.actions.find((each) => each.name === "play");
  const won = view.rows.slice(0, view.winners);
  const isWon = view.winners > 0 && view.winners < view.rows.length;
  return [
    bar({ ...view.frame, subtitle: view.heading }, page, act, "escape"),
    h(
      "main",
      { class: "sheet scores", "data-scrolls": "main" },
      isWon ? h("div", { class: "winner" }, confetti(), h("span", { class: "faces" }, won.map(([name]) => facesOf(name, "grin"))), h("h2", {}, won.map(([name]) => h("bdi", {}, name))), h("p", {}, won[0][3])) : null,
      h(
        "div",
        { class: "panel scroll-x", tabindex: "0", role: "region", "aria-label": view.frame.title },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, view.heading)), view.rounds.map((each) => h("th", { scope: "col" }, each)), h("th", { scope: "col" }, view.total))),
          h(
            "tbody",
            {},
            view.rows.map(([name, points, total, mark], at) =>
              h("tr", { class: at < view.winners ? "won" : "" }, h("th", { scope: "row" }, h("span", {}, facesOf(name, "smile"), h("bdi", {}, name), mark ? h("em", {}, mark) : null)), points.map((each) => h("td", {}, each)), h("td", { class: "total" }, total)),
            ),
          ),
        ),
      ),
      partsOf(view.facts).map((part) => h("section", { class: "panel fact" }, part.map(drawFact))),
    ),
    prompt(view.frame),
    foot(
      view.frame.actions.filter((each) => each.name !== "play" && each.name !== "escape").map((each) => (each.name === "chat" ? button(icon("smile"), () => act("chat", ""), { key: "chat", class: "square", "aria-label": capital(each.label) }) : button(capital(each.label), () => act(each.name, each.arg), { key: each.name }))),
      play ? button(capital(play.label), () => act("play"), { key: "play", class: "primary" }) : null,
    ),
  ];
}

// Across the room nobody scrolls: a long sheet gets smaller, and of more rounds than there is room for the last ones are shown.
export function fitScores(main) {
  const rows = [...main.querySelector("table").rows];
  const holder = main.querySelector(".scroll-x");
  const rounds = rows[0].cells.length - 2;
  for (let size = 0.9; main.scrollHeight > main.clientHeight + 1 && size > 0.4; size -= 0.1) {
    for (const each of main.children) each.style.setProperty("--tv", `calc(min(100vw / 1920, 100vh / 1080) * ${size})`);
  }
  for (let first = 1; first < rounds && holder.scrollWidth > holder.clientWidth + 1; first++) for (const each of rows) each.cells[first].hidden = true;
}

// --- running text ---

// A QR code: dark squares on a light ground, whatever the theme.
export function code(rows, name) {
  const path = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return s("svg", { class: "code", viewBox: `-3 -3 ${rows[0].length + 6} ${rows.length + 6}`, role: "img", "aria-label": name }, s("rect", { x: -3, y: -3, width: rows[0].length + 6, height: rows.length + 6, fill: "#fff" }), s("path", { d: path, fill: "#000", "shape-rendering": "crispEdges" }));
}

// A fair deal at a glance: the headline, who shuffled in which order, what was checked, and on what it rests.
function drawProof(proof) {
  return [
    h("div", { class: "headline" }, h("span", { class: "seal" }, icon("check")), h("h2", {}, proof.headline)),
    // On a phone the headline is true only under this sentence: both are on one screen.
    proof.trust ? h("p", { class: "trust" }, icon("lock"), h("span", {}, sentence(proof.trust))) : null,
    h(
      "section",
      { class: "panel chain" },
      h(
        "ol",
        {},
        h("li", {}, icon("cards"), h("span", {}, proof.deck)),
        proof.shufflers.map(([name, isBot, isMe]) => h("li", {}, h("span", { class: "portrait" }, face(isMe ? ownName(name) : name, { isBot }), icon("check")), h("bdi", {}, isBot ? name.replace(/^Bot /, "") : name))),
      ),
      h("p", { class: "ink-dim" }, proof.about),
    ),
    h(
      "section",
      { class: "panel checks" },
      h("h2", {}, proof.title),
      h("ul", {}, proof.checks.map(([told, took, how]) => h("li", {}, icon("check"), h("span", {}, sentence(told), how ? h("small", { class: "ink-dim" }, how) : null), h("span", { class: "ink-dim took" }, took)))),
    ),
    lines(proof.notes),
  ];
}

export function drawPage(view, { act }, page) {
  const others = view.frame.actions.filter((each) => each.name !== "back");
  return [
    h("header", { class: "bar" }, button(icon("back"), () => act("back"), { key: "back", class: "round", "aria-label": page.texts.close }), h("div", { class: "titles" }, h("h1", {}, view.proof ? view.frame.title : view.heading), view.proof ? null : h("p", {}, h("bdi", {}, view.frame.title)))),
    h(
      "main",
      { class: "sheet text", "data-scrolls": "main", tabindex: "0" },
      view.keys.length ? h("dl", { class: "panel keys" }, view.keys.map(([name, told]) => h("div", {}, h("dt", {}, capital(name)), h("dd", {}, told)))) : null,
      view.code.length ? code(view.code, view.heading) : null,
      view.proof ? drawProof(view.proof) : view.lines.map((line) => {
        const isHead = line.length === 1 && line[0][1] === "gold";
        const parts = line.map(([text, ink]) => h("span", { class: `ink-${ink}` }, sentence(text)));
        return isHead ? h("h2", {}, parts) : h("p", {}, parts);
      }),
    ),
    view.frame.head ? prompt({ ...view.frame, prompt: "" }) : null,
    foot(others.map((each) => button(capital(each.label), () => act(each.name), { key: each.name })), button(capital(page.texts.close), () => act("back"), { key: "done", class: "primary" })),
  ];
}
