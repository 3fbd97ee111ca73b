"""A program for a host in the lab: keeps a port for itself until its input is closed. Words: `udp` or `tcp`, and the port."""

from __future__ import annotations

import json
import socket
import sys

if __name__ == "__main__":
    kind = socket.SOCK_DGRAM if sys.argv[1] == "udp" else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, kind) as sock:
        sock.bind(("", int(sys.argv[2])))
        if kind is socket.SOCK_STREAM:
            sock.listen()
        print(json.dumps({"ready": True}), flush=True)
        sys.stdin.read()
