// A table: seats on the arch, what lies in the middle, the prompt, the hand, what can be done.

import { back, card, icon, sentence, suit, SUITS } from "./cards.js";
import { Part, button, capital, h, s } from "./dom.js";
import { face, meet } from "./faces.js";
import { Hand } from "./hand.js";
import { apart, seatPlaces } from "./layout.js";
import { Motion } from "./motion.js";

const IN_MENU = new Set(["sort", "clear", "log", "report", "leave", "scores", "settings", "help", "story"]);
const BESIDE = new Set(["chat", "hint", "pick", "play"]);
const SIDEWAYS = matchMedia("(max-height: 480px) and (orientation: landscape)"); // as in the style sheet
const LABEL = 30; // so high is what stands under a face
const CLOCK = /^\d+:\d\d$/;

const isClock = ([text]) => CLOCK.test(text);

// Whose move a sentence tells: the seat whose name it begins with.
function actorOf(text, seats) {
  return seats.filter((each) => !each.is_me && text.startsWith(each.name)).sort((one, other) => other.name.length - one.name.length)[0] ?? null;
}

function moodOf(seat) {
  if (seat.is_away) return "sleep";
  if (seat.count === "-") return "grin";
  if (seat.bars === 1 && seat.note_ink === "alarm") return "oh";
  return seat.is_turn ? "think" : "smile";
}

// The opponents from our left in the order of play; who looks on sees all from the first seat on.
export function opponents(view) {
  if (view.me === null) return view.seats;
  return [...view.seats.slice(view.me + 1), ...view.seats.slice(0, view.me)];
}

export class Table {
  constructor(send, page) {
    Object.assign(this, { send, page });
    const part = (tag, props) => new Part(h(tag, props));
    this.header = part("header", { class: "bar" });
    this.arch = new Part(s("svg", { class: "arch", "aria-hidden": "true" }));
    this.seats = part("div", { class: "seats" });
    this.corners = part("div", { class: "corners" });
    this.event = part("div", { class: "event" });
    this.middle = part("div", { class: "middle" });
    this.box = part("div", { class: "box-holder" });
    this.stage = h("main", { class: "stage" }, this.arch.element, this.seats.element, this.corners.element, this.event.element, this.middle.element, this.box.element);
    this.prompt = part("div", { class: "prompt", role: "status" });
    this.hand = new Hand(send, {
      zoom: (held) => page.zoom(held, this.view),
      over: (x, y, isOut) => this.stage.classList.toggle("drop", isOut),
      place: (x, y) => this.placeAt(x, y),
    });
    this.near = h("section", { class: "own" }, this.hand.element);
    this.note = part("div", { class: "hand-note" });
    this.actions = part("div", { class: "actions" });
    this.log = part("aside", { class: "log", "data-scrolls": "log" });
    this.element = h("div", { class: "table" }, this.header.element, this.stage, this.prompt.element, this.near, this.note.element, this.actions.element, this.log.element);
    this.lost = new Part(h("div", { class: "lost-sheet" }));
    this.seesCards = false;
    this.motion = new Motion(this);
  }

  placeAt(x, y) {
    const found = document.elementFromPoint(x, y)?.closest("[data-place]");
    return found ? Number(found.dataset.place) : null;
  }

  show(view) {
    this.view = view;
    meet(view.seats);
    const { texts } = this.page;
    const isBig = this.page.isBig;
    this.element.classList.toggle("big", isBig);
    this.element.classList.toggle("watching", view.me === null);
    this.element.classList.toggle("ours", view.frame.mood === "turn" && Boolean(view.frame.head));
    this.header.show([view.frame.title, view.frame.subtitle, view.frame.right, view.frame.actions.length], () => this.drawHeader(view));
    this.near.setAttribute("aria-label", texts.hand);
    this.hand.show(view, texts);
    this.prompt.show([view.frame.head, view.frame.prompt, view.frame.mood, view.frame.banner, view.frame.right], () => this.drawPrompt(view));
    this.prompt.element.dataset.mood = view.frame.banner ? "alarm" : view.frame.mood;
    this.note.show([view.tip, view.chip, view.hand.length, isBig], () => this.drawNote(view));
    this.actions.show([view.frame.actions, view.dialog, view.hand.filter((each) => each.picked), view.frame.mood], () => this.drawActions(view));
    this.log.show(view.log, () => this.drawLog(view));
    this.place(view);
  }

  // What depends on how much room the stage has.
  place(view) {
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    const isBig = this.page.isBig;
    const others = isBig ? view.seats : opponents(view);
    const isCross = view.across && others.length === 3;
    const layout = seatPlaces(others.length, width, height, { across: isCross, all: isBig, isSideways: SIDEWAYS.matches });
    this.layout = layout;
    this.stage.classList.toggle("giving", view.dialog?.kind === "places");
    this.stage.classList.toggle("across", isCross);
    this.stage.classList.toggle("low", height < 250);
    this.stage.classList.toggle("shallow", Boolean(layout.isShallow));
    this.stage.classList.toggle("below", others.length > 3);
    this.stage.classList.toggle("crowded", layout.isFull || (layout.depth > height * 0.45 && !isCross));
    this.stage.classList.toggle("tiny", height < 72 && width < 300);
    this.stage.classList.toggle("roomy", height - layout.depth > 300 && width < 900);
    this.stage.classList.toggle("many", others.length > 5 && height < 330);
    this.stage.style.setProperty("--apart", `${Math.max(24, width / Math.max(1, others.length) - layout.face - 12)}px`);
    const steps = apart(layout.places, isBig ? layout.face * 1.6 : LABEL).map((each) => Math.min(width, each));
    const size = [width, height];
    this.arch.show([layout.arch, size, view.pile?.facts, others.length], () => this.drawArch(view, layout, width, height));
    this.seats.show([others, size, view.dialog?.kind === "places"], () => others.map((each, at) => this.drawSeat(each, at, view, width, steps[at])));
    this.event.show([view.last_event, view.recap, size], () => this.drawEvent(view));
    this.corners.show([view.trick?.sides, view.trick?.sign], () => this.drawCorners(view));
    this.stage.style.setProperty("--depth", `${layout.depth}px`);
    this.stage.style.setProperty("--sides", `${layout.sides}px`);
    this.stage.style.setProperty("--beside", `${layout.beside}px`);
    const isGiving = view.dialog?.kind === "places";
    this.middle.show([view.pile, view.trick, view.facts, isGiving ? [view.dialog, view.hand.map((each) => [each.id, each.mark])] : null, view.open_hands, texts0(this.page)], () => this.drawMiddle(view));
    this.middle.element.classList.toggle("dimmed", view.dimmed);
    this.look(view);
    const shown = view.dialog && view.dialog.kind !== "lost" && !view.dialog.asks && !view.dialog.is_standing && view.dialog.kind !== "places" ? view.dialog : null;
    this.box.show(shown, () => (shown ? this.drawBox(shown) : []));
    this.motion.show(view);
  }

  // A phone that looks for its computer: a sheet, which can be put away to look at the cards.
  look(view) {
    const lost = view.dialog?.kind === "lost" ? view.dialog : null;
    if (!lost) this.seesCards = false;
    const isShown = Boolean(lost) && !this.seesCards;
    this.lost.show([isShown, lost], () => (isShown ? this.drawLost(view, lost) : []));
    if (!isShown) this.lost.element.remove();
    else if (!this.lost.element.isConnected) this.element.append(this.lost.element);
  }

  drawLost(view, lost) {
    const { texts } = this.page;
    const [about, kept, asks] = lost.lines.map((line) => line.map(([text]) => text).join(""));
    const me = view.seats[view.me];
    const others = opponents(view).slice(0, 4);
    const look = () => {
      this.seesCards = true;
      this.look(this.view);
    };
    return h(
      "section",
      { class: "panel", role: "dialog", "aria-label": lost.title },
      h("header", {}, face(me.name, { mood: "sleep" }), h("div", {}, h("h2", {}, lost.title), h("p", { class: "ink-dim", "aria-hidden": "true" }, about))),
      h(
        "div",
        { class: "way", "aria-hidden": "true" },
        h("span", { class: "stop" }, icon("phone"), h("span", {}, texts.this_phone)),
        h("span", { class: "cut" }, icon("cross")),
        h("span", { class: "stop" }, icon("laptop"), h("bdi", {}, lost.footer)),
        h("span", { class: "line" }),
        h("span", { class: "stop" }, h("span", { class: "faces" }, others.map((each) => face(each.name, { isBot: each.is_bot }))), h("span", {}, texts.the_table)),
      ),
      h("p", { class: "kept" }, sentence(kept)),
      h("p", { class: "ink-dim" }, sentence(asks)),
      h("div", { class: "actions" }, button(texts.see_cards, look, { key: "see-cards" }), button(texts.try_now, () => this.page.wake(), { key: "try-now", class: "primary" })),
    );
  }

  // --- above ---

  drawHeader(view) {
    const { frame } = view;
    const badge = frame.right.find(([, ink]) => ink === "ok" || ink === "alarm" && !CLOCK.test(frame.right[0][0]));
    const others = frame.right.filter((each) => each !== badge && !isClock(each));
    const subtitle = frame.subtitle.split(" · "); // where there is little room, the name of the table gives way
    return [
      this.page.isBig ? null : button(icon("menu"), () => this.page.menu(this.menuItems(view)), { key: "menu", class: "round", "aria-label": this.page.texts.menu, "aria-haspopup": "menu" }),
      h("div", { class: "titles" }, h("h1", {}, frame.title), h("p", { class: "parts" }, subtitle.map((each) => h("bdi", {}, each)))),
      others.map(([text, ink]) => h("span", { class: `piece ink-${ink}` }, text)),
      badge ? this.drawBadge(badge) : null,
    ];
  }

  drawBadge([text, ink]) {
    const [mark, ...words] = text.split(" ");
    const short = words.join(" ").split(" · ")[0].replace(/[ ,]*\d+ ms/, "");
    return button([mark === "✓" ? icon("check") : icon("cross"), h("span", { class: "wide" }, words.join(" ")), h("span", { class: "narrow" }, short)], () => this.send.act("report"), {
      key: "report",
      class: `badge ink-${ink}`,
    });
  }

  menuItems(view) {
    const offered = view.frame.actions.filter((each) => IN_MENU.has(each.name));
    const names = new Set(offered.map((each) => each.name));
    const more = [
      ["log", this.page.texts.log],
      ["help", this.page.texts.rules],
      ["settings", this.page.texts.settings],
    ].filter(([name]) => !names.has(name));
    const last = (each) => (each.name === "leave" ? 1 : 0);
    return [...offered, ...this.page.extras, ...more.map(([name, label]) => ({ name, label, arg: null }))].sort((one, other) => last(one) - last(other));
  }

  drawArch(view, layout, width, height) {
    const { cx, cy, rx, ry } = layout.arch;
    this.arch.element.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${Math.max(1, height)}`);
    const isBack = view.pile?.facts.some(([text]) => text.includes("◀◀"));
    const marks = layout.places.slice(0, -1).map((one, at) => {
      const other = layout.places[at + 1];
      const x = (one.x + other.x) / 2;
      const u = (x - cx) / rx;
      const onArch = cy - ry * Math.sqrt(Math.max(0, 1 - u * u));
      const y = layout.places.length > 1 && Math.abs(one.x - other.x) > layout.face * 1.3 && Math.abs(one.y - other.y) < layout.face * 1.2 ? Math.min(onArch, (one.y + other.y) / 2) : null;
      const turn = (Math.atan2(other.y - one.y, other.x - one.x) * 180) / Math.PI + (isBack ? 180 : 0);
      return y === null ? null : s("path", { class: "chevron", d: "M-4-7L4 0-4 7", transform: `translate(${x} ${y}) rotate(${turn})` });
    });
    const shade = s("linearGradient", { id: "felt", x1: 0, y1: 0, x2: 0, y2: 1 }, s("stop", { class: "from", offset: 0 }), s("stop", { class: "to", offset: this.page.isBig ? 1 : 0.35 }));
    const felt = this.page.isBig ? s("ellipse", { class: "felt", cx, cy, rx, ry }) : s("path", { class: "felt", d: `M${cx - rx} 2400V${cy}A${rx} ${ry} 0 0 1 ${cx + rx} ${cy}V2400z` });
    return [s("defs", {}, shade), felt, this.page.isBig ? aroundMarks(layout, isBack) : marks.filter(Boolean)];
  }

  // `width`: of the stage; asked again, the browser would lay out everything anew for the answer. `step`: how far the next one is.
  drawSeat(seat, at, view, width, step) {
    const { texts } = this.page;
    const { face: size, places } = this.layout;
    const place = places[at];
    const isRight = (each) => each?.x > width * 0.62; // in a low window its name stands on the other side
    const count = seat.count === "-" ? "" : seat.count;
    const isLast = seat.note_ink === "alarm" && seat.bars === 1;
    const under = view.dialog?.kind === "places" ? "" : seat.note || seat.tag || (seat.points ? this.points(seat) : "");
    return button(
      [
        h("span", { class: "portrait" }, face(seat.name, { isBot: seat.is_bot, mood: moodOf(seat) })),
        count ? h("span", { class: `count${isLast ? " last" : ""}`, "aria-hidden": "true" }, miniCards(), count) : null,
        h("span", { class: "name" }, h("bdi", {}, short(seat))),
        count ? h("span", { class: "unseen" }, `, ${seat.bars === 1 ? texts.one_card : texts.cards.replace("{n}", count)}, `) : null,
        under ? h("span", { class: `under ink-${seat.note ? seat.note_ink : "dim"}` }, h("bdi", {}, under)) : null,
        seat.note && seat.tag ? h("span", { class: "under ink-dim tag" }, seat.tag) : null,
      ],
      () => this.send.act("seat", seat.seat),
      {
        key: `seat-${seat.seat}`,
        class: `seat${seat.is_turn ? " turn" : ""}${seat.is_partner ? " partner" : ""}${seat.is_away ? " away" : ""}${isRight(place) ? " right" : ""}${isRight(place) || isRight(places[at + 1]) ? " meets" : ""}`,
        "data-seat": seat.seat,
        vars: { "--px": `${place.x}px`, "--py": `${place.y}px`, "--face": `${size}px`, "--step": `${step}px`, "--room": `${2 * Math.min(place.x, width - place.x)}px` },
      },
    );
  }

  points(seat) {
    return `${seat.points} ${this.page.texts.points}`;
  }

  drawEvent(view) {
    const told = view.last_event;
    if (!told) return [];
    const actor = actorOf(told, view.seats);
    const last = this.page.isBig ? view.recap.slice(-2) : [];
    return [
      h("p", {}, actor ? face(actor.name, { isBot: actor.is_bot }) : null, sentence(told)),
      last.length ? h("div", { class: "before" }, last.map(([text]) => h("p", {}, sentence(text)))) : null,
    ];
  }

  drawCorners(view) {
    const { sides = [], sign = ["", ""] } = view.trick ?? {};
    return [
      sides.length ? h("dl", { class: "sides" }, sides.map(([name, points], at) => h("div", { class: at ? "ink-dim" : "ink-gold" }, h("dt", {}, name), h("dd", {}, points)))) : null,
      sign[1] ? h("div", { class: "sign" }, h("span", {}, sign[0]), h("b", {}, SUITS[sign[1]] ? suit(sign[1], "s") : sign[1])) : null,
    ];
  }

  // --- the middle ---

  drawMiddle(view) {
    if (view.dialog?.kind === "places") return this.drawPlaces(view);
    return [
      view.pile ? this.drawPile(view) : null,
      view.trick ? this.drawTrick(view) : null,
      view.facts ? h("div", { class: "facts" }, view.facts.lines.map((line) => h("p", {}, line.map(([text, ink]) => h("span", { class: `ink-${ink}` }, sentence(text)))))) : null,
      view.open_hands.length
        ? h("div", { class: "open" }, view.open_hands.map(([name, cards]) => h("p", {}, h("b", {}, h("bdi", {}, name)), " ", sentence(cards))))
        : null,
    ];
  }

  drawPile(view) {
    const { pile } = view;
    const { texts } = this.page;
    const named = pile.match.flat().find(([, ink]) => ["s", "h", "d", "c"].includes(ink));
    const glyph = named?.[0].trim();
    const isNamed = glyph && pile.top && glyph !== pile.top.suit && SUITS[glyph];
    const rank = !named && pile.match.length > 1 ? pile.match[0][0]?.[0] : "";
    const loud = pile.facts.slice(1).filter(([, ink]) => ink === "alarm");
    const quiet = pile.facts.slice(1, pile.action ? -1 : undefined).filter(([text, ink]) => ink !== "alarm" && !/[▶◀]{2}/.test(text));
    const fits = pile.match.map((line) => line.map(([text]) => text).join(""));
    const isTold = loud.some(([text]) => fits.every((each) => text.includes(each)));
    const left = pile.stock === null ? null : texts.stock.replace("{n}", pile.stock);
    return h(
      "div",
      { class: "pile" },
      pile.stock === null
        ? null
        : button([h("span", { class: `stack deep-${pile.stock > 20 ? 3 : pile.stock > 5 ? 2 : pile.stock > 0 ? 1 : 0}` }, pile.stock > 0 ? back() : null), h("span", { class: "left" }, left)], () => this.send.act("draw"), {
            key: "stock",
            class: `stock${pile.can_draw ? " can" : ""}`,
            "aria-label": left,
          }),
      h(
        "div",
        { class: "heap", role: "img", "aria-label": pile.top?.name ?? "" },
        pile.before ? card(pile.before, { class: "under-1" }) : null,
        pile.top ? card(pile.top, { class: "top", "data-top": "" }) : h("span", { class: "none" }),
        isNamed ? h("span", { class: "token" }, suit(glyph, named[1])) : rank && rank !== pile.top?.rank && rank.length < 3 ? h("span", { class: "token" }, h("b", {}, rank)) : null,
      ),
      h(
        "div",
        { class: "needs" },
        loud.map(([text]) => h("p", { class: "loud" }, sentence(text))),
        fits.length && !isTold ? h("p", { class: "match" }, fits.map((each) => h("span", {}, sentence(each)))) : null,
        quiet.map(([text, ink]) => h("p", { class: `ink-${ink}` }, sentence(text))),
      ),
    );
  }

  drawTrick(view) {
    const { trick } = view;
    return h(
      "div",
      { class: "trick" },
      trick.label ? h("p", { class: "label" }, sentence(trick.label)) : null,
      h(
        "div",
        { class: `plays${trick.players.length ? " apart" : ""}`, vars: { "--n": String(Math.max(1, trick.cards.length)) } },
        trick.cards.map((each, at) => h("figure", { class: at === trick.best ? "best" : "", role: "img", "aria-label": each.name || each.short }, card(each), trick.players[at] ? h("figcaption", {}, h("bdi", {}, trick.players[at])) : null)),
      ),
      trick.note ? h("p", { class: "note" }, sentence(trick.note)) : null,
    );
  }

  drawPlaces(view) {
    const { dialog, hand } = view;
    const order = dialog.choices.map((_, at) => at);
    return h(
      "div",
      { class: "places" },
      h("h2", {}, dialog.title),
      h(
        "div",
        { class: "three" },
        order.map((at) => {
          const choice = dialog.choices[at];
          const given = hand.find((held) => held.mark === choice.key && held.picked);
          const who = opponents(view)[at];
          const isNext = at === dialog.focus && !choice.face;
          return h(
            "div",
            { class: `place at-${at}${who?.is_away ? " away" : ""}` },
            who ? face(who.name, { isBot: who.is_bot }) : null,
            h("span", { class: "name" }, h("bdi", {}, choice.label)),
            h("span", { class: "under ink-dim" }, who?.is_away ? who.note : choice.sub),
            button(choice.face ? card(choice.face) : h("b", {}, isNext ? "?" : ""), () => given && this.send.pick(given.id), {
              key: `place-${at}`,
              class: `spot${isNext ? " next" : ""}`,
              "data-place": at,
              "aria-label": `${choice.label}, ${choice.sub}: ${choice.face?.name ?? this.page.texts.nothing}`,
            }),
          );
        }),
      ),
      dialog.footer ? h("p", { class: "note" }, sentence(dialog.footer)) : null,
    );
  }

  drawBox(dialog) {
    return h(
      "section",
      { class: "box", "aria-label": dialog.title },
      h("h2", {}, sentence(dialog.title)),
      dialog.lines.map((line) => h("p", {}, line.map(([text, ink]) => h("span", { class: `ink-${ink}` }, sentence(text))))),
    );
  }

  // --- below ---

  drawPrompt(view) {
    const { frame } = view;
    const clock = frame.right.find(isClock);
    return [
      h("div", { class: "words" }, frame.head && !frame.banner ? h("b", { class: "head" }, frame.head) : null, sentence(frame.banner || frame.prompt)),
      clock ? h("span", { class: `clock ink-${clock[1]}`, role: "timer", "aria-live": "off" }, icon("clock"), clock[0]) : null,
    ];
  }

  drawNote(view) {
    if (this.page.isBig) return [];
    return [view.chip ? h("span", { class: "call" }, view.chip) : null, view.tip && view.hand.length ? h("span", { class: "tip" }, sentence(`${capital(view.tip.label)}`)) : null];
  }

  drawActions(view) {
    if (this.page.isBig) return [];
    const { dialog, frame } = view;
    const { act, choose } = this.send;
    if (dialog && dialog.choices.length && (dialog.asks || dialog.is_standing)) return this.drawChoices(view, dialog, choose, act);
    const named = (name) => frame.actions.find((each) => each.name === name);
    const small = [
      named("chat") ? button(icon("smile"), () => act("chat", ""), { key: "chat", class: "square", "aria-label": capital(named("chat").label) }) : null,
      named("hint") ? button(icon("bulb"), () => act("hint"), { key: "hint", class: "square", "aria-label": capital(named("hint").label) }) : null,
    ];
    const usual = frame.actions
      .filter((each) => !IN_MENU.has(each.name) && !BESIDE.has(each.name))
      .map((each) => button(capital(each.label), () => act(each.name, each.arg), { key: each.name, class: `${each.is_loud ? "call" : ""}${each.glows ? " glows" : ""}` }));
    const isGiving = dialog?.kind === "places" && frame.mood !== "wait" && !named("play");
    const play = isGiving ? { name: "play", label: this.page.texts.give } : named("play");
    const missing = isGiving ? dialog.choices.filter((each) => !each.face).length : 0;
    const picked = view.hand.filter((each) => each.picked);
    const shown = play && !isGiving && picked.length && picked.length <= 2 ? picked.map((each) => h("span", { class: "on-button" }, sentence(each.face.short))) : null;
    const isOff = missing || play && !picked.length && view.hand.length && dialog?.kind !== "places" && named("pick");
    return [
      small,
      usual,
      play ? button([capital(play.label), " ", shown], () => act("play"), { key: "play", class: "primary", "aria-disabled": isOff ? "true" : null }) : null,
    ];
  }

  drawChoices(view, dialog, choose, act) {
    const isGrid = dialog.kind === "grid";
    return h(
      "div",
      { class: `choices as-${dialog.kind}${dialog.choices.every((each) => each.label.length < 14 && !each.sub) ? " brief" : ""}`, role: "group", "aria-label": dialog.title, "data-scrolls": "choices" },
      dialog.lines.map((line) => h("p", { class: "about" }, line.map(([text]) => sentence(text)))),
      h(
        "div",
        { class: "answers" },
        dialog.choices.map((each, at) =>
          button(
            [
              each.glyph && SUITS[each.glyph] ? suit(each.glyph, each.ink) : null,
              each.face ? card(each.face, { class: "small" }) : null,
              h("span", { class: isGrid ? `ink-${each.ink}` : "" }, isGrid ? sentence(each.label) : h("bdi", {}, capital(each.label))),
              each.sub ? h("small", {}, h("bdi", {}, each.sub)) : null,
            ],
            () => choose(at),
            { key: `choice-${at}`, class: at === dialog.focus ? "primary" : "" },
          ),
        ),
        dialog.cancel && !dialog.choices.some((each) => each.label.toLocaleLowerCase() === dialog.cancel.toLocaleLowerCase()) ? button(capital(dialog.cancel), () => act("escape"), { key: "escape", class: "quiet" }) : null,
      ),
    );
  }

  drawLog(view) {
    setTimeout(() => (this.log.element.scrollTop = this.log.element.scrollHeight));
    return [h("h2", {}, view.log_title), view.log.map(([text, ink]) => h("p", { class: `ink-${ink}` }, sentence(text)))];
  }
}

// The direction of play, between each two who sit around the table.
function aroundMarks({ arch: { cx, cy, rx, ry }, places }, isBack) {
  return places.map((_, at) => {
    const angle = Math.PI / 2 + (Math.PI * 2 * (at + 1)) / places.length;
    const turn = (Math.atan2(ry * Math.cos(angle), -rx * Math.sin(angle)) * 180) / Math.PI + (isBack ? 180 : 0);
    return s("path", { class: "chevron", d: "M-10-17L10 0-10 17", transform: `translate(${cx + rx * Math.cos(angle)} ${cy + ry * Math.sin(angle)}) rotate(${turn})` });
  });
}

// A bot is seen to be one: its name needs not say so.
const short = (seat) => seat.brief || (seat.is_bot ? seat.name.replace(/^Bot /, "") : seat.name);

const texts0 = (page) => page.texts.stock;

function miniCards() {
  return s("svg", { viewBox: "0 0 20 18", class: "mini", "aria-hidden": "true" }, s("rect", { x: 2, y: 3, width: 9, height: 13, rx: 2, transform: "rotate(-9 6 9)" }), s("rect", { x: 8, y: 2, width: 9, height: 13, rx: 2, transform: "rotate(8 12 9)" }));
}
