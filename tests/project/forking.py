"""eomc as a program of a few milliseconds: a server that has imported it forks for each call.

``python forking.py SOCKET`` serves; ``python -S forking.py SOCKET -m eomc WORD...`` is the program: it hands its
folder, its words, its output and its environment to the server, and ends as the fork does.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys

_LONGEST = 1 << 16


def serve(path: str) -> None:
    """Fork for each call."""
    import eomc.build
    import eomc.frontends.loading  # noqa: F401  # what every call needs
    from eomc.cli import main

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a fork: it answers by itself
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.bind(path)
        server.listen()
        while True:
            call, _ = server.accept()
            if os.fork():
                call.close()
                continue
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # it may start compilers
            text, files, _, _ = socket.recv_fds(call, _LONGEST, 2)
            folder, environment, words = json.loads(text)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            for mine, file in zip((1, 2), files, strict=True):
                os.dup2(file, mine)
            code = 70
            with contextlib.suppress(SystemExit):
                code = main(words)
            sys.stdout.flush()
            sys.stderr.flush()
            call.send(bytes([code]))
            os._exit(0)


def ask(path: str, words: list[str]) -> int:
    """Return the exit code of a call."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as call:
        call.connect(path)
        socket.send_fds(call, [json.dumps([os.getcwd(), dict(os.environ), words]).encode()], [1, 2])
        return (call.recv(1) or b"\x46")[0]  # 70 where the fork has died


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    sys.exit(ask(sys.argv[1], sys.argv[4:]))
