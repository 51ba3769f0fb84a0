"""A scenario and a fault → what broke: the command runs in a forked process and is judged.

The laws: every output is the whole old one or the whole new one; files of others stay as they are;
the command ends with 0 or 2, and with one line of reason, never a traceback, never a hang; the next
run succeeds and leaves nothing of the failed one behind.
"""

import faulthandler
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.faults.injection import Action, Fault

LIMIT_SECONDS = 30  # a command that takes longer hangs, if without a fault it takes a tenth of it
FOREIGN = {"thesis.txt": "years of work\n", "notes/keep.txt": "keep me\n"}


@dataclass(frozen=True)
class Ended:
    code: int  # negative: the signal that ended it
    errors: str

    @property
    def is_killed(self):
        return self.code == -signal.SIGKILL


class Bench:
    """One scenario in a folder of its own: WORK, where the command writes, and its TMPDIR."""

    def __init__(self, scenario, injector, folder):
        self.scenario, self.injector, self.folder = scenario, injector, Path(folder)
        self.template, self.root = self.folder / "template", self.folder / "root"
        self.work, self.temporary = self.root / "work", self.root / "tmp"
        self.limit_seconds = 10 * LIMIT_SECONDS  # until it is known how long the command takes
        self._make_template()
        self.old = self.outputs()
        self.kinds = self._count_calls()
        self.new = self.outputs()
        self._import_what_it_imports()
        self._run_again()
        self.names = self._names()

    def _make_template(self):
        self.work.mkdir(parents=True)
        self.temporary.mkdir()
        for name, text in FOREIGN.items():
            (self.work / name).parent.mkdir(exist_ok=True)
            (self.work / name).write_text(text)
        os.chdir(self.work)
        self.scenario.prepare()
        shutil.copytree(self.root, self.template)

    def _count_calls(self):
        start = time.monotonic()
        ended = self._run(self.scenario.command, Fault(0, Action.COUNT))
        if ended.code:
            raise SystemExit(f"{self.scenario.name} fails without any fault: {ended.errors}")
        self.limit_seconds = max(LIMIT_SECONDS, 10 * (time.monotonic() - start))
        return self.injector.kinds()

    def _import_what_it_imports(self):
        """Import modules that the command imports, so that each try has them already."""
        for name in (self.folder / "modules").read_text().split():
            with suppress(Exception):
                import_module(name)

    def _run_again(self):
        ended = self._run(self.scenario.again, Fault(0, Action.COUNT))
        if ended.code:
            raise SystemExit(f"{self.scenario.name} fails when repeated: {ended.errors}")

    def outputs(self):
        os.chdir(self.work)
        return self.scenario.outputs()

    def _names(self):
        names = [path.relative_to(self.work) for path in self.work.rglob("*")]
        if self.scenario.keeps_results:  # and so deletes nothing beside them
            names = [name for name in names if not is_hidden(name)]
        return sorted(map(str, names))

    def _run(self, arguments, fault):
        """Run a command of the scenario in a forked process, below the fault."""
        self.injector.prepare(self.root, fault, self.scenario.with_memory)
        with ExitStack() as conditions:
            if fault.limit is not None:
                conditions.enter_context(fault.limit.set_on_disk(self.root))
            reading, errors = os.pipe()
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    code = self._in_child(arguments, fault, errors)
                finally:
                    os._exit(code)
            os.close(errors)
            with open(reading, encoding="utf-8", errors="replace") as said:
                code = ended_within(child, self.limit_seconds)
                self.injector.disarm()
                return Ended(code, said.read())

    def _in_child(self, arguments, fault, errors):
        os.chdir(self.work)
        tempfile.tempdir = str(self.temporary)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number, stream in ((0, nowhere), (1, nowhere), (2, errors)):
            os.dup2(stream, number)
        self.scenario.patch()
        faulthandler.dump_traceback_later(self.limit_seconds - 5, file=2)
        if fault.limit is not None:
            fault.limit.set_in_process()
        self.injector.arm()
        code = exit_code_of(arguments)
        self.injector.disarm()
        if not (self.folder / "modules").exists():
            (self.folder / "modules").write_text("\n".join(sys.modules))
        return code

    def outcome(self, fault):
        """Try a fault; return the exit code and the laws broken, or None if it is never reached."""
        self._start_anew()
        ended = self._run(self.scenario.command, fault)
        if not self.injector.hits and fault.limit is None:
            return None
        return ended.code, [*self._broken_at_once(ended, fault), *self._broken_later()]

    def _start_anew(self):
        os.chdir(self.root)
        for path in (self.work, self.temporary):
            shutil.rmtree(path)
            shutil.copytree(self.template / path.name, path)

    def _broken_at_once(self, ended, fault):
        if ended.code == -signal.SIGALRM:
            yield f"hangs for {self.limit_seconds:.0f} seconds: {ended.errors[:1200]}"
        elif ended.code not in (0, 2) and not (fault.is_kill and ended.is_killed):
            yield f"ends with {ended.code}: {ended.errors[-600:]}"
        if "Traceback" in ended.errors and ended.code in (0, 2):
            yield f"prints a traceback: {ended.errors[-600:]}"
        lines = [line for line in ended.errors.splitlines() if not is_report(line)]
        if ended.code == 2 and not (len(lines) == 1 and lines[0].startswith("numberline: ")):
            yield f"says {lines}"
        if ended.code == 0 and lines:
            yield f"succeeds, but says {lines}"
        if not fault.is_kill and list(self.temporary.iterdir()):
            yield f"leaves {list(self.temporary.iterdir())}"
        yield from self._damage("", lambda name: (self.old.get(name), self.new.get(name)))
        if ended.code == 0:
            yield from self._damage(" though it succeeded", lambda name: (self.new.get(name),))

    def _broken_later(self):
        ended = self._run(self.scenario.again, Fault(0, Action.COUNT))
        if ended.code:
            yield f"cannot be run again: {ended.code}: {ended.errors[-600:]}"
            return
        yield from self._damage(" after the next run", lambda name: (self.new.get(name),))
        if odd := set(self._names()) ^ set(self.names):
            yield f"leaves or loses {sorted(odd)} even after the next run"

    def _damage(self, when, allowed):
        """Yield what is wrong with outputs and with files of others."""
        for name, text in FOREIGN.items():
            path = self.work / name
            if not path.is_file() or path.read_text() != text:
                yield f"{name} of others is changed{when}"
        try:
            outputs = self.outputs()
        except Exception as error:
            yield f"an output is damaged{when}: {type(error).__name__}: {error}"
            return
        for name in outputs.keys() | self.old.keys() | self.new.keys():
            if outputs.get(name) not in allowed(name):
                what = "missing" if outputs.get(name) is None else "neither old nor new"
                yield f"{name} is {what}{when}"


def is_hidden(name):
    return any(part.startswith(".numberline-") for part in name.parts)


def is_report(line):
    """Tell whether a line of standard error reports progress or warns."""
    return line.startswith("numberline: note: ") or "%" in line.split("  ")[0]


def exit_code_of(arguments):
    """Run numberline as its command does; return the exit code."""
    from numberline.cli.main import main

    sys.argv[1:] = [str(argument) for argument in arguments]
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code


def ended_within(child, seconds):
    """Wait for a process; return its exit code, or that of SIGALRM if it takes too long."""
    descriptor = os.pidfd_open(child)
    try:
        if not select.select([descriptor], [], [], seconds)[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -signal.SIGALRM
    finally:
        os.close(descriptor)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
