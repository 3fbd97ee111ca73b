"""Tells a table's news in sentences, to its players and watchers."""

from __future__ import annotations

from typing import assert_never

from cli.clean import clean
from cli.games.base.by_itself import moves_for_you
from cli.games.explain import explain
from cli.news import (
    Accused,
    Asleep,
    Away,
    Back,
    BotsBack,
    BotsStopped,
    BotStuck,
    Broken,
    CatchingUp,
    ClockRuns,
    DealChecked,
    Earlier,
    Fate,
    Grace,
    HintsChanged,
    MatchEnded,
    Misbehaved,
    Moved,
    News,
    Overtaken,
    Paused,
    RoundBegan,
    RoundEnded,
    RoundVoid,
    Said,
    SeatWanted,
    Settled,
    TookSeat,
    VotedOn,
    WasAsleep,
    WentOn,
)
from cli.plain.outlook import Outlook
from cli.plain.verbs import shown
from cli.view.bot_news import bots_told
from cli.view.checks import check_text, secrecy_told, took_text
from cli.view.hint_levels import change_of_help
from cli.view.misbehaviour import misbehaved_told
from cli.view.partings import (
    alone_told,
    back_told,
    can_only_wait,
    fate_told,
    match_ended_told,
    seat_wanted_told,
    took_seat_told,
    voted_on_told,
    votes_told,
    went_on_told,
)
from protocol.games.views import PublicView
from protocol.values import replace

CHAT_CELLS = 200


class Telling:
    """What has been told of a match, and how the next piece of news is told."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self._ = outlook._
        self.between_rounds = False
        self.waits_for_ready = False
        """Between rounds, and the next one does not start at once, or not before somebody takes an empty seat."""
        self.lacks_player = False
        """Whether the match waits for somebody who takes an empty seat."""
        self.paused: Paused | None = None
        self.checked: list[DealChecked] = []
        self._is_back = False
        """The next round told is one that we had left."""
        self._may_be_clean: bool | None = None
        """Whether we have seen all rounds, and no rule broken in any; None before the first."""
        self._is_accused = False

    def told(self, news: News) -> list[str]:
        """The sentences of one piece of news."""
        _, who, playing = self._, self.outlook.narrator, self.outlook.playing
        match news:
            case RoundBegan(number, view):
                self.between_rounds = self.waits_for_ready = False
                is_back, self._is_back = self._is_back, False
                if self._may_be_clean is None:
                    self._may_be_clean = number == 1 and not is_back
                return self._goes_on(number, view) if is_back else who.round_began(number, view)
            case Moved(seat, move, before, after):
                return [*who.moved(seat, move, before, after), *who.runs_out(seat, move, before, after)]
            case Earlier(moves):
                self._is_back = bool(moves)
                return []  # a screenful at once helps nobody who listens; how things stand is told
            case RoundEnded(view, breaches, pause_s, is_last):
                self.between_rounds, self.waits_for_ready = True, bool(pause_s) and not is_last
                self._may_be_clean = self._may_be_clean and not breaches
                told = who.round_ended(view)
                if pause_s and not is_last and playing.seat is not None:
                    told.append(
                        _(
                            "The next round starts in {seconds} seconds, or as soon as everyone types {verb}.",
                            seconds=round(pause_s),
                            verb=shown(_, "ready"),
                        )
                    )
                for seat, fault in breaches:
                    reason = explain(_, fault, who.cards, who.names)
                    told.append(
                        _(
                            "The opened hands show that {name} broke a rule. {reason}",
                            name=who.name(seat),
                            reason=reason,
                        )
                    )
                return told
            case RoundVoid(held_up_by):
                self.between_rounds = self.waits_for_ready = True
                self._may_be_clean = self._may_be_clean and not held_up_by
                return who.round_void(held_up_by)
            case MatchEnded(transcript=transcript, verified=verified):
                told = match_ended_told(who, news)
                if verified is not None:
                    told.append(self._rechecked(verified))
                if transcript:
                    told.append(_("Transcript: {path}", path=transcript))
                return told
            case DealChecked(shuffled_by, took_ms):
                self.checked.append(news)
                if not took_ms:  # who comes back did not see it
                    return [_("This deal was checked on this computer before you left.")]
                return [
                    _.n(
                        "Deal proven fair: {n} shuffle, {ms} ms.",
                        "Deal proven fair: {n} shuffles, {ms} ms.",
                        len(shuffled_by),
                        ms=round(took_ms),
                    )
                ]
            case Said(seat, text):
                return [who.did(seat, "You say: {text}", "{name} says: {text}", text=clean(text, CHAT_CELLS))]
            case HintsChanged():
                return list(filter(None, (change_of_help(who, news),)))
            case Misbehaved():
                return [misbehaved_told(who, news)]
            case Away(is_ours=True) | Away(is_after_sleep=True) | Back(is_ours=True) | Settled():
                return []
            case Back(is_after_sleep=True):
                return []
            case CatchingUp(number, done):
                return [_("Catching up: round {number} · {percent} %", number=number, percent=int(100 * done))]
            case WasAsleep():
                return [_("Your computer was asleep. Reconnecting…")]
            case BotsStopped() | BotsBack() | BotStuck():
                return [bots_told(_, news)]
            case Away(seat):
                if (lost := playing.reconnecting) is not None and lost.is_offline:
                    told = [_("You are offline. Your seat and your cards are kept.")]
                    return [*told, _("This computer has no network. Check its cable or Wi-Fi.")]
                return [_("{name} is away. The seat is kept.", name=who.name(seat))]
            case Asleep(seat, is_asleep):
                return [_("{name}’s phone is asleep.", name=who.name(seat))] if is_asleep else []
            case Back(seat):
                return [back_told(who, seat, playing.players)]
            case Paused():
                earlier, self.paused = self.paused, news if news.awaited else None
                return self._pause(news, earlier)
            case VotedOn():
                return [voted_on_told(who, news)]
            case WentOn(fate=fate):
                self.paused, self.lacks_player = None, fate is Fate.SHORT
                self.between_rounds = self.between_rounds or fate is Fate.VOID
                self.waits_for_ready = self.waits_for_ready or fate in (Fate.VOID, Fate.SHORT)
                return went_on_told(who, news, playing.players, playing.seat)
            case TookSeat():
                self.lacks_player = False
                return [took_seat_told(who, news)]
            case SeatWanted():
                return [seat_wanted_told(who, news)]
            case Accused(seat, reason, provable):
                self._may_be_clean, self._is_accused = False, True
                told = [
                    _(
                        "CHEATING: {name}. {reason}",
                        name=who.name(seat),
                        reason=explain(_, reason, who.cards, who.names),
                    )
                ]
                return [*told, _("The evidence is in the transcript.")] if provable else told
            case Overtaken():
                return [_("Someone else was faster, so your move didn’t count.")]
            case Grace(seat, seconds):
                return who.grace(seat, seconds, playing.hand() if playing.seat is not None else ())
            case ClockRuns(seat, left_s):
                if seat != playing.seat:
                    return []
                position, face = self.outlook.position(), self.outlook.face
                what = face.by_itself(_, who.cards, position) if position is not None else moves_for_you(_)
                return [_("{seconds} seconds left, then {what}.", seconds=round(left_s), what=what)]
            case Broken(reason):
                return [_("The match can’t continue. {reason}", reason=explain(_, reason, who.cards, who.names))]
            case _:
                assert_never(news)

    def _goes_on(self, number: int, view: PublicView) -> list[str]:
        """We are back in a round: how it stands, and our hand. In our turn that is told anyway."""
        _, who, position = self._, self.outlook.narrator, self.outlook.position()
        if view.round_over:
            return []  # its result follows
        told = [_("Round {number} continues.", number=number), *who.score(view)]
        if position is None or position.must_act:
            return told
        return [*told, *who.situation(view), who.hand(position.hand)]

    def vote_opened(self) -> list[str]:
        """The time has come to vote on playing on."""
        before = self.paused
        if before is None:
            return []
        self.paused = replace(before, left_s=0.0)
        return self._pause(self.paused, before)

    def _pause(self, news: Paused, before: Paused | None) -> list[str]:
        """Who is awaited, whenever that changes, and how the votes to play on stand."""
        _, who, is_playing = self._, self.outlook.narrator, self.outlook.playing.seat is not None
        if not news.awaited:
            return [_("The match continues.")] if before else []
        told: list[str] = []
        if before is None or before.awaited != news.awaited:
            before = None
            if news.joining:
                return alone_told(who, news)
            told.append(_("Paused: waiting for {names}. Seats and cards are kept.", names=who.everyone(news.awaited)))
            if is_playing:
                told.append(_("Wait, or type {verb} to step away.", verb=shown(_, "quit")))
            if is_playing and can_only_wait(news):
                told.append(_("To play something else meanwhile, type {verb}.", verb=shown(_, "aside")))
        if news.left_s is None or not is_playing:
            return told
        is_open = news.left_s <= 0
        if before is None or _votes(before) != _votes(news):
            told += votes_told(who, news, 0.0)
        if before is None or (is_open and not _is_open(before)):
            told.append(fate_told(who, news.leaving or news.awaited, news.fate))
        if is_open and (before is None or not _is_open(before)) and self.outlook.playing.seat in news.needed:
            told.append(
                _(
                    "Type {vote} to vote to play on, {wait} to vote to wait.",
                    vote=shown(_, "vote"),
                    wait=shown(_, "wait"),
                )
            )
        return told

    def _rechecked(self, verified: bool) -> str:
        """What the check of the whole transcript has shown. That nobody cheated is said only where we know it of all rounds."""
        _ = self._
        if not verified:
            return _("The recheck FAILED: run fairdeal verify on the transcript to see why.")
        if self._may_be_clean:
            return _("Every deal and every move was rechecked: nobody cheated.")
        return _("Every deal and every move was rechecked: the result stands.")

    def fairness(self) -> list[str]:
        """What this machine has checked, and what nobody can."""
        _ = self._
        if not self.checked:
            return [_("There is nothing to check: this program dealt the cards itself.")]
        last = self.checked[-1]
        lines = [_("Fair deal, checked on your computer:")]
        lines += [_("  shuffled by {names}, all proofs valid", names=self.outlook.narrator.everyone(last.shuffled_by))]
        checks = (*last.steps, *self.outlook.playing.checks())
        lines += [_("  {step}, {time}", step=check_text(_, each), time=took_text(_, each)) for each in checks]
        if not last.took_ms:
            lines.append(_("  This deal was checked on this computer before you left."))
        if self._is_accused:
            return lines
        if told := secrecy_told(_, self.outlook.playing):
            lines.append(told)
        lines.append(_("Not proven: the timing of moves, and talk outside the game."))
        return lines


def _is_open(paused: Paused) -> bool:
    """Whether one could vote to play on when this was told."""
    return paused.left_s is not None and paused.left_s <= 0


def _votes(paused: Paused) -> object:
    return _is_open(paused), paused.agreed, paused.against
