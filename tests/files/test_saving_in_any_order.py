"""Saves, failures, kills, foreign files and damage in any order: nothing is lost, mixed or erased.

Kills and failures come at the n-th event that Python's audit hooks report, such as opening,
renaming or deleting a file.
"""

import errno
import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from numberline.errors import OutputError, StoreError
from numberline.files import whole_folder
from numberline.files.store import HEADER, Format, read_store, write_store
from numberline.files.whole_folder import replace_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

THINGS = Format("things", 1, "things.safetensors")
MOST_EVENTS = 45  # saving causes about as many
KILLED = 9


def save(folder, number, overwrite):
    with replace_folder(folder, THINGS.kind, overwrite) as new:
        write_store(new, THINGS, {"number": number}, {"a": np.full(5, float(number))})


def load(folder):
    """Return the number that was saved, or None if nothing is there."""
    if not folder.exists() and not any(folder.parent.glob(".numberline-*/old")):
        return None
    header, arrays = read_store(folder, THINGS)
    assert (arrays["a"] == header["number"]).all()
    return header["number"]


def save_with_fault(folder, number, at, fault, can_exchange):
    """Save in a child process, at whose n-th event the fault happens."""
    child = os.fork()
    if child == 0:
        if not can_exchange:
            whole_folder.exchange = lambda first, second: False
        count = 0

        def hook(event, arguments):
            nonlocal count
            if event.startswith(("open", "os.", "shutil.")) and str(folder.parent) in str(
                arguments
            ):
                count += 1
                if count == at:
                    fault()

        sys.addaudithook(hook)
        try:
            save(folder, number, overwrite=True)
        except OutputError:
            os._exit(2)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill():
    os._exit(KILLED)


def fail():
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Saving(RuleBasedStateMachine):
    @initialize()
    def begin(self):
        self.scratch = Path(tempfile.mkdtemp())
        self.folder = self.scratch / "things"
        self.beside = self.scratch / "thesis.txt"
        self.beside.write_text("mine")
        self.number = 0  # of the last save
        self.there = None  # the number that must be read; None: no folder
        self.is_damaged = False
        self.foreign = False

    def teardown(self):
        shutil.rmtree(self.scratch)

    @rule(overwrite=st.booleans())
    def save(self, overwrite):
        self.number += 1
        is_free = self.there is None or (overwrite and not self.foreign)
        try:
            save(self.folder, self.number, overwrite)
            assert is_free
            self.there, self.is_damaged = self.number, False
            assert not list(self.scratch.glob(".numberline-*"))
        except OutputError:
            assert not is_free

    @rule(
        at=st.integers(1, MOST_EVENTS),
        fault=st.sampled_from([kill, fail]),
        can_exchange=st.booleans(),
    )
    def save_with_fault(self, at, fault, can_exchange):
        self.number += 1
        ending = save_with_fault(self.folder, self.number, at, fault, can_exchange)
        assert ending in ((0, 2, KILLED) if fault is kill else (0, 2))
        if self.foreign:
            assert ending != 0
            return
        if ending == 0:
            self.there, self.is_damaged = self.number, False
        elif not self.is_damaged:
            now = load(self.folder)
            assert now in (self.there, self.number)
            self.there = now
        else:
            self.forget_damage()

    def forget_damage(self):
        """A damaged folder may have been replaced before the fault came."""
        try:
            assert load(self.folder) == self.number
        except StoreError:
            return
        self.there, self.is_damaged = self.number, False

    @rule()
    def put_a_foreign_file_into_it(self):
        if self.there is not None:
            (self.folder / "notes.txt").write_text("mine")
            self.foreign = True

    @rule()
    def take_the_foreign_file_away(self):
        if self.foreign:
            (self.folder / "notes.txt").unlink()
            self.foreign = False

    @rule(at=st.integers(0, 300), bit=st.integers(0, 7))
    def damage(self, at, bit):
        if self.there is not None and not self.is_damaged:
            path = self.folder / (HEADER if at % 2 else THINGS.tensors)
            data = bytearray(path.read_bytes())
            data[at % len(data)] ^= 1 << bit
            path.write_bytes(data)
            self.is_damaged = True

    @invariant()
    def what_is_read_is_what_was_saved(self):
        if not hasattr(self, "folder"):
            return
        if self.is_damaged:
            with pytest.raises(StoreError):
                load(self.folder)
        else:
            assert load(self.folder) == self.there
        assert self.beside.read_text() == "mine"
        if self.foreign:
            assert (self.folder / "notes.txt").read_text() == "mine"


TestSaving = Saving.TestCase
TestSaving.settings = settings(max_examples=40, stateful_step_count=25)
