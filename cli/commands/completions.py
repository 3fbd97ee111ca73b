"""`fairdeal completions SHELL`: a script for the shell, made from the argument parser and the games that are installed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path

from cli.arguments import make_parser
from cli.command_facts import COMMANDS
from cli.context import Context
from cli.faults import DONE
from cli.requests import CompletionsRequest
from cli.text import Translator, languages
from protocol.games.catalogue import game_class, game_names
from protocol.games.game import Option
from protocol.games.options import spelled
from protocol.values import dataclass

FILE, GAME, OPTION, ANY = "file", "game", "option", "any"


@dataclass(frozen=True, slots=True)
class Argument:
    """A flag, or a place without one (`flags` empty). `takes` is FILE, GAME, OPTION, ANY, the values allowed, or None for a
    switch."""

    flags: tuple[str, ...]
    help: str
    takes: str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """A command of the program; the name is empty for the program itself."""

    name: str
    help: str
    arguments: tuple[Argument, ...]

    @property
    def flags(self) -> list[str]:
        return [flag for argument in self.arguments for flag in argument.flags]

    @property
    def place(self) -> str | tuple[str, ...] | None:
        """What stands without a flag."""
        return next((each.takes for each in self.arguments if not each.flags), None)


def run(request: CompletionsRequest, context: Context) -> int:
    context.tell(script(request.shell, context.words).rstrip("\n"))
    return DONE


def script(shell: str, _: Translator) -> str:
    """The script for bash, zsh or fish."""
    return SCRIPTS[shell](commands_of(_), games_of())


def commands_of(_: Translator) -> list[CompletedCommand]:
    """All commands with what they take, the program itself first."""
    parser, parsers = make_parser(_)
    return [
        CompletedCommand("", "", arguments_of(parser)),
        *(CompletedCommand(facts.name, _(facts.help), arguments_of(parsers[facts.name])) for facts in COMMANDS),
    ]


def arguments_of(parser: argparse.ArgumentParser) -> tuple[Argument, ...]:
    return tuple(
        Argument(tuple(action.option_strings), action.help or "", taken(action))
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction)
    )


def taken(action: argparse.Action) -> str | tuple[str, ...] | None:
    """What an argument takes, for `Argument.takes`."""
    if action.nargs == 0:
        return None
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if action.type is Path:
        return FILE
    if action.dest == "lang":
        return tuple(languages())
    return {"game": GAME, "options": OPTION}.get(action.dest, ANY)


def games_of() -> dict[str, list[str]]:
    """Each game with its options as KEY=VALUE: all values, or the default and KEY= where any number goes."""
    found: dict[str, list[str]] = {}
    for game in game_names():
        try:
            options = game_class(game).OPTIONS
        except Exception:  # a third-party game that does not load must not hide the others
            options = {}
        found[game] = [pair for name, option in options.items() for pair in pairs(name, option)]
    return found


def pairs(name: str, option: Option) -> list[str]:
    """An option as it can be typed."""
    values = [f"{name}={spelled(value)}" for value in option.values or (option.default,)]
    return values if option.low is None else [f"{name}=", *values]


def words_of(takes: str | tuple[str, ...] | None, games: Mapping[str, list[str]]) -> list[str]:
    """Return what can be offered in a place, except for options of games."""
    if isinstance(takes, tuple):
        return list(takes)
    return list(games) if takes == GAME else []


def bash(commands: list[CompletedCommand], games: Mapping[str, list[str]]) -> str:
    """Works with bash 3.2 (macOS). bash breaks words at "=", so the word under the cursor is read from the line, and what stands
    before the last "=" is cut off the answers."""
    flags, places, values = [], [], []
    for command in commands:
        flags.append(f"        {command.name or chr(39) * 2}) reply={quoted(command.flags)} ;;")
        if words := words_of(command.place, games):
            places.append(f"        {command.name}) reply={quoted(words)} ;;")
        for argument in command.arguments:
            for flag in argument.flags:
                if argument.takes == OPTION:
                    values.append(f'        {command.name},{flag}) _fairdeal_option "$game" ;;')
                elif words := words_of(argument.takes, games):
                    values.append(f"        {command.name},{flag}) reply={quoted(words)} ;;")
                elif argument.takes is not None:
                    files = "files=1" if argument.takes == FILE else ":"
                    values.append(f"        {command.name},{flag}) {files} ;;")
    options = [f"    {game}) reply={quoted(keys)} ;;" for game, keys in games.items()]
    takers = [command.name for command in commands if command.place == FILE]
    return f"""# bash completion for fairdeal: put it in ~/.local/share/bash-completion/completions/fairdeal
_fairdeal_option() {{
    case $1 in
{chr(10).join(options)}
    esac
}}
_fairdeal() {{
    local line words current previous command game word reply files i
    line=${{COMP_LINE:0:COMP_POINT}}
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${{words[${{#words[@]}}-1]}} previous=${{words[${{#words[@]}}-2]}} command="" game="" reply="" files=""
    for ((i = 1; i < ${{#words[@]}} - 1; i++)); do
        word=${{words[i]}}
        case $word in
        {"|".join(games)}) [[ $game ]] || game=$word ;;
        {"|".join(command.name for command in commands if command.name)}) [[ $command ]] || command=$word ;;
        esac
    done
    case $command,$previous in
{chr(10).join(values)}
    *)
        case $current in
        -*)
        case $command in
{chr(10).join(flags)}
        esac ;;
        *)
        case $command in
        '') reply={quoted([command.name for command in commands if command.name])} ;;
        {"|".join(takers)}) files=1 ;;
{chr(10).join(places)}
        esac ;;
        esac ;;
    esac
    COMPREPLY=($(compgen -W "$reply" -- "$current"))
    [[ ${{#COMPREPLY[@]}} == 1 && $COMPREPLY == *= ]] && compopt -o nospace 2> /dev/null
    [[ $current == *=* && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("${{COMPREPLY[@]#"${{current%"${{current##*=}}"}}"}}")
    [[ $files ]] || compopt +o default 2> /dev/null
    return 0
}}
complete -o default -F _fairdeal fairdeal
"""


def zsh(commands: list[CompletedCommand], games: Mapping[str, list[str]]) -> str:
    branches = []
    for command in commands[1:]:
        specs = [f"    {shlex.quote(spec)}" for argument in command.arguments for spec in zsh_specs(argument, games)]
        branches.append(f"  {command.name}) _arguments -S \\\n" + " \\\n".join(specs) + " ;;")
    program = " \\\n".join(
        f"  {shlex.quote(spec)}" for argument in commands[0].arguments for spec in zsh_specs(argument, games)
    )
    named = [f"    {shlex.quote(f'{command.name}:{command.help}')}" for command in commands[1:]]
    options = [f"  {game}) offers=({' '.join(map(shlex.quote, keys))}) ;;" for game, keys in games.items()]
    return f"""#compdef fairdeal
# zsh completion for fairdeal: put it into a folder of $fpath as _fairdeal
_fairdeal_options() {{
  local word offers
  for word in $words; do
  case $word in
{chr(10).join(options)}
  esac
  (( $#offers )) && break
  done
  compadd -Q -a offers
}}
_fairdeal_commands() {{
  local -a named=(
{chr(10).join(named)}
  )
  _describe command named
}}
_fairdeal() {{
  local context state line curcontext=$curcontext
  _arguments -C -S \\
{program} \\
  '1: :_fairdeal_commands' '*:: :->rest'
  [[ $state == rest ]] || return 0
  case $words[1] in
{chr(10).join(branches)}
  esac
}}
[[ $funcstack[1] == _fairdeal ]] && _fairdeal "$@" || compdef _fairdeal fairdeal
"""


def zsh_specs(argument: Argument, games: Mapping[str, list[str]]) -> list[str]:
    """The argument in the language of `_arguments`."""
    if argument.takes == FILE:
        action = ":file:_files"
    elif argument.takes == OPTION:
        action = ":option:_fairdeal_options"
    elif words := words_of(argument.takes, games):
        action = f":value:({' '.join(words)})"
    else:
        action = "" if argument.takes is None else ": : "
    if not argument.flags:
        return [f"*{action}"] if argument.takes == FILE else [f"1{action}"]
    text = argument.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    repeated = "*" if argument.takes == OPTION else ""
    return [f"{repeated}{flag}[{text}]{action}" for flag in argument.flags]


def fish(commands: list[CompletedCommand], games: Mapping[str, list[str]]) -> str:
    names = " ".join(command.name for command in commands if command.name)
    lines = [
        "# fish completion for fairdeal: put it in ~/.config/fish/completions/fairdeal.fish",
        "complete -c fairdeal -f",
    ]
    for command in commands:
        seen = (
            f"__fish_seen_subcommand_from {command.name}"
            if command.name
            else f"not __fish_seen_subcommand_from {names}"
        )
        if command.name:
            first = f"not __fish_seen_subcommand_from {names}"
            lines.append(f"complete -c fairdeal -n '{first}' -a {command.name} -d {fish_quoted(command.help)}")
        for argument in command.arguments:
            lines += fish_lines(argument, seen, games)
    return "\n".join(lines) + "\n"


def fish_lines(argument: Argument, seen: str, games: Mapping[str, list[str]]) -> list[str]:
    """The lines for one argument of a command."""
    words = words_of(argument.takes, games)
    if not argument.flags:
        if argument.takes == FILE:
            return [f"complete -c fairdeal -n '{seen}' -F"]
        unsaid = f"{seen}; and not __fish_seen_subcommand_from {' '.join(words)}"
        return [f"complete -c fairdeal -n '{unsaid}' -a {fish_quoted(' '.join(words))}"] if words else []
    names = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in argument.flags)
    start = f"complete -c fairdeal -n '{seen}' {names} -d {fish_quoted(argument.help)}"
    if argument.takes == OPTION:
        return [
            f"complete -c fairdeal -n '{seen}; and __fish_seen_subcommand_from {game}' {names} -x"
            f" -a {fish_quoted(' '.join(keys))}"
            for game, keys in games.items()
        ] + [f"{start} -x"]
    if argument.takes == FILE:
        return [f"{start} -r -F"]
    return [f"{start} -x -a {fish_quoted(' '.join(words))}" if words else start + (" -x" if argument.takes else "")]


def quoted(words: list[str]) -> str:
    """Quote words as one string of the shell."""
    return shlex.quote(" ".join(words)) if words else "''"


def fish_quoted(text: str) -> str:
    """fish knows two escapes within single quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
