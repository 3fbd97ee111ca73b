"""The way to the page: who gets in, what is served, and that nonsense ends a socket and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from cli.page.files import FOLDER
from cli.web import checking
from cli.web.checking import Parts
from cli.web.incoming import FilePart, Garbled
from cli.web.server import FULL, GARBLED, MOST_WAITING, USED
from tests.web.served import CHOSEN, Served, closed, heard, opened, served

pytestmark = pytest.mark.sockets


def run(test: Callable[[Served], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with served() as there:
            await test(there)

    asyncio.run(whole())


def test_every_file_comes_with_its_type_and_the_safety_headers() -> None:
    async def test(there: Served) -> None:
        for path in ("/", "/style.css", *(f"/{each.name}" for each in FOLDER.iterdir() if each.is_file())):
            status, headers, body = await there.get(path)
            assert status == 200 and body, path
            policy = headers["content-security-policy"]
            assert (
                policy.startswith("default-src 'none'")
                and "unsafe" not in policy
                and "frame-ancestors 'none'" in policy
            )
            assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        for path in (
            "/../access.py",
            "/style",
            "/style/tv.css",
            "/%2e%2e/access.py",
            "//etc/passwd",
            "/socket.js",
            "/index.html/",
        ):
            assert (await there.get(path))[0] == 404, path

    run(test)


def test_a_name_that_points_here_is_refused() -> None:
    async def test(there: Served) -> None:
        port = there.server.port
        for host in (f"evil.example:{port}", f"localhost:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.:{port}"):
            assert (await there.get("/", host))[0] == 403, host

    run(test)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost", "null", "https://127.0.0.1"])
def test_a_socket_from_another_page_is_refused(origin: str) -> None:
    async def test(there: Served) -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with there.socket(origin):
                pass
        assert refused.value.response.status_code == 403

    run(test)


def test_an_address_opens_one_page_and_its_pass_opens_it_again() -> None:
    async def test(there: Served) -> None:
        token = there.token()
        async with there.socket() as socket:
            welcome = await opened(socket, token)
            assert welcome["type"] == "welcome"
            assert {(await heard(socket))["type"] for _ in range(2)} == {"hello", "view"}
        async with there.socket() as socket:  # loaded anew
            assert (await opened(socket, "", welcome["pass"]))["type"] == "welcome"
        for stolen in ({"token": token}, {"token": "0" * 32}, {"token": ""}, {"held": "0" * 32}):
            async with there.socket() as socket:
                await socket.send(
                    json.dumps({"type": "open", "token": stolen.get("token", ""), "pass": stolen.get("held", "")})
                )
                assert await closed(socket) == USED, stolen

    run(test)


def test_a_new_address_makes_the_old_one_useless() -> None:
    async def test(there: Served) -> None:
        old = there.token()
        there.token()
        async with there.socket() as socket:
            await socket.send(json.dumps({"type": "open", "token": old, "pass": ""}))
            assert await closed(socket) == USED

    run(test)


GARBAGE = (
    *("", "{", "[]", "null", '"x"', "1", '{"type":"open"}', '{"type":"open","token":"","pass":""}', '{"type":"tap"}'),
    *('{"type":"tap","screen":1,"input":{"act":"x"}}', '{"type":"tap","screen":1,"input":{"pick":"1"}}'),
    *('{"type":"tap","screen":1,"input":{"pick":true}}', '{"type":"tap","screen":1,"input":{"play":[]}}'),
    *('{"type":"tap","screen":1,"input":{"play":["a"]}}', '{"type":"tap","screen":1,"input":{"choose":null}}'),
    *(
        '{"type":"tap","screen":1,"input":{"act":"x","arg":{"a":1}}}',
        '{"type":"tap","screen":1,"input":{"act":"x","arg":[[1]]}}',
    ),
    *('{"type":"part","name":"a","data":"?","last":true}', '{"type":"part","name":"a","data":"","last":1}'),
    *('{"type":"typed","number":1,"text":7}', '{"type":"tap","screen":1,"input":{"choose":1},"more":1}'),
    *("[" * 4000, '{"type":"typed","number":1,"text":"' + "x" * 2000 + '"}', "x" * 5000),
)


@pytest.mark.parametrize("said", GARBAGE)
def test_nonsense_ends_the_socket_and_nothing_else(said: str) -> None:
    async def test(there: Served) -> None:
        async with there.socket() as socket:
            await opened(socket, there.token())
            await socket.send(said)
            assert await closed(socket) == GARBLED
        async with there.socket() as socket:
            assert (await opened(socket, there.token()))["type"] == "welcome"
        assert not there.done

    run(test)


def test_a_file_is_put_together_but_no_larger_one_than_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_FILE_BYTES", 10)
    parts = Parts()
    for _twice in range(2):
        assert parts.take(FilePart("a", b"12345", False)) is None
        assert parts.take(FilePart("a", b"67890", True)) == b"1234567890"
    with pytest.raises(Garbled):
        parts.take(FilePart("a", b"x" * 11, True))


def test_a_flood_that_is_too_large_ends_the_socket() -> None:
    async def test(there: Served) -> None:
        async with there.socket() as socket:
            await opened(socket, there.token())
            await socket.send(b"x" * 100_000)
            assert await closed(socket) in (1009, GARBLED)

    run(test)


def test_few_sockets_may_wait_without_a_word() -> None:
    async def test(there: Served) -> None:
        async with contextlib.AsyncExitStack() as stack:
            silent = [await stack.enter_async_context(there.socket()) for _ in range(MOST_WAITING)]
            async with there.socket() as one_more:
                assert await closed(one_more) == FULL
            assert (await opened(silent[0], there.token()))["type"] == "welcome"

    run(test)


def test_a_tap_reaches_the_model_that_was_seen_and_no_other() -> None:
    async def test(there: Served) -> None:
        async with there.socket() as socket:
            await opened(socket, there.token())
            messages = [await heard(socket) for _ in range(2)]
            screen = next(each for each in messages if each["type"] == "view")["screen"]
            for number in (screen + 1, screen):
                await socket.send(json.dumps({"type": "tap", "screen": number, "input": {"choose": "two"}}))
            async with asyncio.timeout(60):
                while not there.done:
                    await asyncio.sleep(0.01)
        assert there.done == [CHOSEN]

    run(test)


def test_the_page_makes_no_markup_of_what_it_is_told() -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|setAttribute\(\"style\""
    for path in filter(Path.is_file, FOLDER.iterdir()):
        text = path.read_text(encoding="utf-8")
        assert not re.search(forbidden, text), path
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), f"{path} names another server"
        if path.suffix == ".html":
            assert not re.search(r"\sstyle=|\son\w+=|<script(?![^>]*src=)|<style", text)
