# tests/stress/harms.py - what happens to a program while it runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Harm changes how a program is started (prepare) or acts on it while it runs (disturb), or both.
What it draws comes from the run's own random numbers. A harm with changes_plain is also inflicted on
the plain build when the outputs differ, because a limit may be too low for the program itself."""
import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time


class Harm:
    changes_plain = False

    def suits(self, program):
        return True

    def prepare(self, run):
        pass

    def disturb(self, run, process):
        """Is called again and again while the program runs, after pauses of some milliseconds."""

    def finish(self, run):
        pass


class LittleMemory(Harm):
    """Leaves a random amount beyond what the program with SPECRT_DISABLE=1 needs. Without a profile,
    and with room for an exception: docs/limits.md says what still ends the process."""
    changes_plain = True
    least_spare, most_spare = 1 << 18, 1 << 28

    def suits(self, program):
        return program.is_alone

    def prepare(self, run):
        option = run.dice.choice(("--data", "--as"))
        spare = math.exp(run.dice.uniform(math.log(self.least_spare), math.log(self.most_spare)))
        run.settings["SPECRT_PROFILE"] = "off"
        run.prefix += ["prlimit", f"{option}={run.session.memory_need(option) + int(spare)}"]


class FailingAllocations(Harm):
    """Some allocations of libspecrt's threads fail, one or many in a row."""

    def suits(self, program):
        return program.is_alone

    def prepare(self, run):
        first = int(math.exp(run.dice.uniform(0, math.log(30000))))
        run.innermost += ["env", f"LD_PRELOAD={run.session.builds.shim}", "FAIL_WHO=threads",
                          f"FAIL_FIRST={first}", f"FAIL_COUNT={run.dice.choice((1, 3, 50, 100000))}",
                          "FAIL_FIGURES=../figures"]


class FewProcesses(Harm):
    """The limit counts processes of a user and does not hold for root, who becomes another user."""
    changes_plain = True

    def suits(self, program):
        return program.is_alone and os.geteuid() == 0

    def prepare(self, run):
        run.take_own_cache()
        user = 50000 + run.number
        for path in (run.folder, run.folder / "cwd", run.cache):
            os.chown(path, user, user)
        run.prefix += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
        run.prefix += ["prlimit", f"--nproc={run.dice.randint(1, 4)}"]


class FewDescriptors(Harm):
    changes_plain = True

    def suits(self, program):
        return not program.needs_descriptors

    def prepare(self, run):
        run.prefix += ["prlimit", f"--nofile={run.dice.randint(4, 24)}"]


class ShortFiles(Harm):
    """Writing beyond the limit raises SIGXFSZ, for files in memory, too."""
    changes_plain = True

    def prepare(self, run):
        run.prefix += ["prlimit", f"--fsize={run.dice.choice((512, 4096, 20000, 100000))}"]


class FullDisk(Harm):
    def suits(self, program):
        return os.geteuid() == 0

    def prepare(self, run):
        run.take_own_cache()
        size = run.dice.choice(("4k", "16k", "64k", "256k", "1m"))
        inodes = run.dice.choice((4, 8, 16, 1000))
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},nr_inodes={inodes},mode=0700",
                        "stress", run.cache], check=True)

    def finish(self, run):
        subprocess.run(["umount", "--lazy", run.cache], check=True)


class Interruptions(Harm):
    """Stops the program, or its compile server, and lets it go on; not so often that the program
    hardly runs."""

    def disturb(self, run, process):
        if run.dice.random() < 0.8:
            return
        pids = run.session.marked.servers() if run.dice.random() < 0.3 else [process.pid]
        if not pids:
            return
        pid = run.dice.choice(pids)
        send(pid, signal.SIGSTOP)
        time.sleep(run.dice.choice((0.001, 0.02, 0.2)))
        send(pid, signal.SIGCONT)


class Termination(Harm):
    """SIGTERM ends the program, unless it has a handler."""

    def prepare(self, run):
        run.may_be_terminated = not run.program.handles_term

    def disturb(self, run, process):
        # A program that has not installed its handler yet would be ended.
        if run.may_be_terminated and run.dice.random() < 0.2 or \
                run.program.handles_term and handles(process.pid, signal.SIGTERM):
            send(process.pid, signal.SIGTERM)


class KilledServers(Harm):
    def disturb(self, run, process):
        pids = run.session.marked.servers()
        if pids and run.dice.random() < 0.3:
            send(run.dice.choice(pids), run.dice.choice((signal.SIGKILL, signal.SIGTERM)))


class DamagedCache(Harm):
    """Files of the cache get other bytes or lengths, become something else, or are removed."""

    def disturb(self, run, process):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(run.cache)
                 for name in names]
        if run.dice.random() < 0.05:
            shutil.rmtree(run.cache, ignore_errors=True)
        elif files:
            path = run.dice.choice(sorted(files))
            try:
                self.damage(path, run)
            except OSError:
                pass  # somebody else has just replaced it

    @staticmethod
    def damage(path, run):
        dice = run.dice
        what = dice.choice(("bytes", "bytes", "shorten", "lengthen", "remove", "folder", "fifo",
                            "link"))
        if os.lstat(path).st_size >= 1 << 32:
            what = "remove"  # it has been lengthened, and a copy would take as much
        if what in ("bytes", "shorten", "lengthen"):
            # A program that has mapped a version is no better off than with any other shared library
            # that is overwritten in place, so a damaged copy takes its place.
            if path.endswith(".so"):
                DamagedCache.replace_contents(path, what, dice)
            else:
                DamagedCache.damage_contents(path, what, dice)
            return
        os.remove(path)
        if what == "folder":
            os.mkdir(path)
        elif what == "fifo":
            os.mkfifo(path)
        elif what == "link":
            os.symlink(dice.choice((path, "/dev/zero", run.session.bait)), path)

    @staticmethod
    def replace_contents(path, what, dice):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
            copy = shutil.copy(path, folder, follow_symlinks=False)
            DamagedCache.damage_contents(copy, what, dice)
            os.replace(copy, path)

    @staticmethod
    def damage_contents(path, what, dice):
        # A link that was put here before leads out of the cache.
        file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            size = os.fstat(file).st_size
            if what == "bytes":
                os.pwrite(file, dice.randbytes(dice.choice((1, 8, 64))), dice.randrange(max(1, size)))
            else:
                os.ftruncate(file, dice.randrange(max(1, size)) if what == "shorten" else
                             size + dice.choice((1, 4096, 1 << 32)))
        finally:
            os.close(file)


class Crowd(Harm):
    """Copies of the program use the same cache at the same time."""

    def prepare(self, run):
        run.copies = run.dice.randint(4, 10)


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def handles(pid, number):
    """Has the process a handler for this signal?"""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) >> (number - 1) & 1)
    except (OSError, StopIteration):
        return False


def forbid_core_files():
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


HARMS = (LittleMemory(), FailingAllocations(), FewProcesses(), FewDescriptors(), ShortFiles(),
         FullDisk(), Interruptions(), Termination(), KilledServers(), DamagedCache(), Crowd())
