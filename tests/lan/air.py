"""A switch for hosts in the lab that delays and loses frames, for kernels without netem: `eth0` of each is a tap device.

Words: the delay in milliseconds, the loss in percent, and the hosts' namespaces. It runs until its input is closed.
"""

from __future__ import annotations

import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
FRAME_BYTES = 1 << 16


def tap(namespace: str) -> int:
    """Make `eth0` in a network namespace; return the file through which its frames pass."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/self/ns/net", "rb") as home, open(f"/var/run/netns/{namespace}", "rb") as there:
        if libc.setns(there.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22s", b"eth0", IFF_TAP | IFF_NO_PI, b""))
        finally:
            libc.setns(home.fileno(), CLONE_NEWNET)
    return device


def switch(devices: list[int], delay_s: float, loss: float) -> None:
    """Pass frames on, late and not all of them, until standard input ends. `loss`: a share of 1."""
    learnt: dict[bytes, int] = {}
    waiting: list[tuple[float, int, int, bytes]] = []  # due, number, device, frame
    count = 0
    while True:
        now = time.monotonic()
        readable, _, _ = select.select(
            [*devices, sys.stdin], [], [], max(0.0, waiting[0][0] - now) if waiting else None
        )
        if sys.stdin in readable and not sys.stdin.read(1):
            return
        for device in readable:
            if not isinstance(device, int):
                continue
            try:
                frame = os.read(device, FRAME_BYTES)
            except OSError:
                continue
            target, source = frame[:6], frame[6:12]
            learnt[source] = device
            known = learnt.get(target)
            for other in [known] if known is not None else devices:
                if other != device and random.random() >= loss:
                    count += 1
                    heapq.heappush(waiting, (time.monotonic() + delay_s, count, other, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _due, _number, device, frame = heapq.heappop(waiting)
            try:
                os.write(device, frame)
            except OSError:
                continue  # the host's card is down


if __name__ == "__main__":
    delay_ms, loss_percent, *namespaces = sys.argv[1:]
    made = [tap(namespace) for namespace in namespaces]
    print(json.dumps({"ready": True}), flush=True)
    switch(made, float(delay_ms) / 1000, float(loss_percent) / 100)
