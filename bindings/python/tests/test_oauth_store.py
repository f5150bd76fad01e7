"""The store of credentials and its locks: what the scenarios of e2e/oauth do not reach."""

import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from honeyguide.mcp.oauth import CredentialStore, Entry, SignInError, sign_in
from honeyguide.mcp.oauth.lock import Lock, held

SERVER = "https://mcp.example/mcp"
NONCE = "00112233aabbccdd"
LATE = SignInError("unreachable", "late")


# --------------------------------------------------------------------------------------------------------------- locks


def left_by(place, *, pid=1, host="elsewhere", age=0, text=None):
    """A lock that somebody holds."""
    place.mkdir()
    owner = {"pid": pid, "host": host, "nonce": NONCE}
    (place / "owner").write_text(json.dumps(owner) if text is None else text)
    for path in (place / "owner", place):
        os.utime(path, (time.time() - age,) * 2)


def dead_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lock_is_held_by_one_at_a_time(tmp_path):
    one, other = Lock(tmp_path / "l"), Lock(tmp_path / "l")
    assert one.attempt()
    assert not other.attempt()
    one.release()
    assert other.attempt()
    assert not one.is_held()
    assert os.listdir(tmp_path) == ["l"]


@pytest.mark.parametrize(
    ("left", "is_taken"),
    [
        ({"host": platform.node(), "pid": os.getpid()}, False),
        ({"host": "elsewhere", "pid": 2**22 + 1}, False),
        ({"age": 110}, False),
        ({"text": "half a"}, False),
        ({"age": 130}, True),
        ({"age": 130, "host": platform.node(), "pid": os.getpid()}, True),
        ({"text": "half a", "age": 130}, True),
    ],
)
def test_a_lock_is_taken_over_when_its_owner_is_gone_and_not_before(tmp_path, left, is_taken):
    left_by(tmp_path / "l", **left)
    assert Lock(tmp_path / "l").attempt() is is_taken


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is asked there whether a process lives")
def test_a_lock_of_a_process_that_died_is_taken_over_at_once(tmp_path):
    left_by(tmp_path / "l", host=platform.node(), pid=dead_pid())
    assert Lock(tmp_path / "l").attempt()
    assert sorted(os.listdir(tmp_path)) == ["l", f"l.{NONCE}.gone"]


def test_who_comes_second_to_take_over_from_one_owner_takes_nothing_from_a_third(tmp_path):
    place = tmp_path / "l"
    left_by(place, age=130)
    assert Lock(place).attempt()
    # A second one saw the same owner before that, and only now does what follows from it.
    with pytest.raises(OSError, match="l"):
        place.rename(tmp_path / f"l.{NONCE}.gone")
    assert json.loads((place / "owner").read_text())["nonce"] != NONCE


def test_who_lost_a_lock_does_not_give_back_that_of_another(tmp_path):
    slow, next_one = Lock(tmp_path / "l"), Lock(tmp_path / "l")
    assert slow.attempt()
    os.utime(tmp_path / "l" / "owner", (time.time() - 130,) * 2)
    assert next_one.attempt()
    slow.release()
    assert next_one.is_held()


async def test_nobody_waits_for_what_became_needless_or_takes_too_long(tmp_path):
    left_by(tmp_path / "l")
    async with held(tmp_path / "l", 60, LATE, lambda: True) as lock:
        assert lock is None
    with pytest.raises(SignInError) as caught:
        async with held(tmp_path / "l", 0, LATE):
            raise AssertionError
    assert caught.value is LATE


# ----------------------------------------------------------------------------------------------------------- the store

WRITER = """
import asyncio, sys
from honeyguide.mcp.oauth import CredentialStore, Entry

async def main(place, server):
    for number in range(20):
        await CredentialStore(place).sign_in(server, Entry(tokens={"access_token": str(number)}))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def store(tmp_path):
    return CredentialStore(tmp_path / "honeyguide" / "credentials.json")


async def test_processes_that_write_at_once_lose_nothing(store):
    servers = ["https://a.example", "https://b.example", "https://b.example"]
    words = [sys.executable, "-c", WRITER, str(store.place)]
    running = [await asyncio.create_subprocess_exec(*words, server) for server in servers]
    assert [await process.wait() for process in running] == [0, 0, 0]
    assert [store.read(server).generation for server in servers] == [20, 40, 40]


async def test_tokens_of_another_generation_are_neither_overwritten_nor_removed(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "new"}))
    assert not await store.renew(SERVER, 0, {"access_token": "old"})
    assert not await store.forget(SERVER, 0)
    assert store.read(SERVER) == Entry(1, tokens={"access_token": "new"})
    assert await store.forget(SERVER, 1)
    assert store.read(SERVER) == Entry(2)


async def test_what_a_killed_process_left_half_written_is_removed_when_it_is_old(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "a"}))
    old, young = (store.place.with_name(f"credentials.json.{number * 16}") for number in ("a", "b"))
    for path in (old, young):
        path.write_text("{half")
    os.utime(old, (time.time() - 4000,) * 2)
    await store.sign_in(SERVER, Entry(tokens={"access_token": "b"}))
    assert not old.exists()
    assert young.exists()


async def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "honeyguide").write_text("a file")
    with pytest.raises(SignInError, match="honeyguide") as caught:
        await CredentialStore(tmp_path / "honeyguide" / "credentials.json").sign_in(SERVER, Entry())
    assert caught.value.code == "store_unusable"


@pytest.mark.skipif(sys.platform == "win32", reason="the folder is another one there")
def test_the_store_stands_in_the_persons_own_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/elsewhere")
    assert CredentialStore().place == Path("/elsewhere/honeyguide/credentials.json")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert CredentialStore().place == Path("/home/me/.config/honeyguide/credentials.json")


def test_what_is_no_address_of_the_web_has_no_credentials():
    for address in ("file:///etc/passwd", "mcp.example", "", "https://"):
        with pytest.raises(SignInError):
            sign_in(address)
