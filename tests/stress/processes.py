# tests/stress/processes.py - starts programs, and finds the processes that they leave behind
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every process of a session has the session's TMPDIR in its environment: compile servers keep that
variable, and no process of another session has the same one."""
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import time

OWN_CACHE = "SPECRT_CACHE_DIR"


@dataclasses.dataclass
class Result:
    status: int  # as of subprocess: a signal is negative
    output: bytes
    errors: bytes
    hangs: bool = False
    stacks: str = ""


def visible(output):
    """The output without lines about libspecrt."""
    return b"".join(line for line in output.splitlines(True) if not line.startswith(b"#"))


def members(group):
    """The processes of a process group, the oldest first."""
    for pid in sorted(int(entry.name) for entry in pathlib.Path("/proc").iterdir()
                      if entry.name.isdigit()):
        try:
            if os.getpgid(pid) == group:
                yield pid
        except ProcessLookupError:
            continue


def stacks_of(group):
    """The stacks of all threads of the group's processes."""
    if not shutil.which("gdb"):
        return "gdb is not installed"
    text = ""
    for pid in members(group):
        text += f"\nprocess {pid}\n"
        try:
            done = subprocess.run(["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt"],
                                  capture_output=True, timeout=60, check=False)
            text += done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            text += "gdb did not end\n"
    return text


def run(command, environment, folder, seconds, disturb=None):
    """Runs a program in a session of its own. disturb(process) is called once it has started and must
    return soon after it has ended."""
    with open(folder / "output", "wb") as output, open(folder / "errors", "wb") as errors:
        process = subprocess.Popen(command, env=environment, cwd=folder / "cwd", stdout=output,
                                   stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True)
    hangs, stacks = False, ""
    until = time.monotonic() + seconds
    if disturb:
        disturb(process)
    try:
        process.wait(max(0.1, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        hangs, stacks = True, stacks_of(process.pid)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return Result(process.returncode, (folder / "output").read_bytes(),
                  (folder / "errors").read_bytes(), hangs, stacks)


class Marked:
    """The processes whose environment has the session's mark."""

    def __init__(self, folder):
        self.mark = f"TMPDIR={folder}".encode()

    def pids(self):
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if self.mark in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
            except OSError:
                continue  # it has ended, or is a zombie

    def servers(self):
        return [pid for pid in self.pids() if "specrt-" in self.name(pid)]

    @staticmethod
    def name(pid):
        try:
            return (pathlib.Path("/proc") / str(pid) / "comm").read_text().strip()
        except OSError:
            return ""

    def wait_for_none(self, seconds):
        """Returns those that are left after so many seconds."""
        until = time.monotonic() + seconds
        while True:
            left = [(pid, self.name(pid)) for pid in self.pids()]
            if not left or time.monotonic() > until:
                return left
            time.sleep(0.2)
