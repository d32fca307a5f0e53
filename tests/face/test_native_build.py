"""C texts become libraries: built once, kept, never half there; and where that cannot be, it is said why."""

from __future__ import annotations

import ctypes
import dataclasses
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aeronef import cache
from aeronef.native.build import SUFFIX, BuildFailed, build, load
from aeronef.native.compiler import Compiler, NoCompiler, find_compiler, sanitizer_environment
from aeronef.runtime.errors import BadInput

ROOT = Path(__file__).parent.parent.parent
ADDS = "int add(int a, int b);\nint add(int a, int b) { return a + b; }\n"
OVERFLOWS = """
int beyond(int i);
int beyond(int i) {
    int held[4] = {1, 2, 3, 4};
    int *volatile place = held;
    return place[i];
}
int larger(int i);
int larger(int i) { return i + 1; }
"""
MOMENT_S = 20.0


def there_is_a_compiler() -> bool:
    try:
        find_compiler()
    except NoCompiler:
        return False
    return True


needs_compiler = pytest.mark.skipif(not there_is_a_compiler(), reason="no C compiler here")
needs_shell = pytest.mark.skipif(os.name != "posix", reason="the compilers of these tests are shell scripts")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AERONEF_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def script(path: Path, body: str) -> Path:
    """A compiler that is a shell script; asked for its version it says one."""
    path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo {path.name}; exit 0; fi\n{body}\n')
    path.chmod(0o755)
    return path


def counting(path: Path, log: Path) -> Path:
    """The machine's compiler, which notes each time that it compiles."""
    words = " ".join(f"'{word}'" for word in find_compiler().command)
    return script(path, f'echo ran >> "{log}"\nexec {words} "$@"')


def builder(body: str = "build(TEXT, 'adds')", **environment: str) -> subprocess.Popen[str]:
    """Another process that builds."""
    code = f"from aeronef.native.build import build, load\nTEXT = {ADDS!r}\n{body}"
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + MOMENT_S
    while not what():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


# ------------------------------------------------------------------------------------------ built and kept


@needs_compiler
def test_a_text_becomes_a_library_and_nothing_else_is_left(folder: Path) -> None:
    assert load(ADDS, "adds").add(2, 3) == 5
    (name,) = kept(folder)
    assert name.startswith("adds-")
    assert name.endswith(SUFFIX)


@needs_compiler
@needs_shell
def test_what_is_kept_is_not_compiled_again(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("CC", str(counting(tmp_path / "counting-cc", log)))
    first = build(ADDS, "adds")
    assert build(ADDS, "adds") == first
    other = builder("print(build(TEXT, 'adds'))")
    assert other.communicate()[0].strip() == str(first)
    assert log.read_text().split() == ["ran"]


@needs_compiler
def test_another_text_name_build_or_compiler_is_another_library(folder: Path) -> None:
    compiler = find_compiler()
    newer = Compiler(compiler.command, compiler.version + " and a half", compiler.zig)
    built = [
        build(ADDS, "adds"),
        build(ADDS + "\n", "adds"),
        build(ADDS, "sums"),
        build(ADDS, "adds", compiler=newer),
    ]
    assert len(set(built)) == len(built) == len(kept(folder))


@needs_compiler
@pytest.mark.parametrize("damage", [b"", b"no library", None], ids=["empty", "other", "cut"])
def test_a_damaged_library_is_built_again(damage: bytes | None, folder: Path) -> None:
    path = build(ADDS, "adds")
    sound = path.read_bytes()
    path.write_bytes(sound[: len(sound) // 2] if damage is None else damage)
    again = load(ADDS, "adds")
    assert again.add(20, 22) == 42
    assert len(kept(folder)) == 1


@needs_compiler
@needs_shell
def test_two_processes_build_the_same_at_once(tmp_path: Path, folder: Path) -> None:
    """Both are inside the compiler before either goes on; both get a library that works, and one is kept."""
    words = " ".join(f"'{word}'" for word in find_compiler().command)
    meet = f'touch "{tmp_path}/here-$$"\nwhile [ $(ls "{tmp_path}" | grep -c here-) -lt 2 ]; do sleep 0.05; done'
    compiler = script(tmp_path / "meeting-cc", f'{meet}\nexec {words} "$@"')
    both = [builder("print(load(TEXT, 'adds').add(1, 2))", CC=str(compiler)) for _ in range(2)]
    for process in both:
        output, errors = process.communicate(timeout=60)
        assert (output.strip(), process.returncode) == ("3", 0), errors
    assert len(kept(folder)) == 1


# ------------------------------------------------------------------------------------------ what can go wrong


@needs_compiler
def test_a_text_that_does_not_compile_is_shown_and_leaves_nothing(folder: Path) -> None:
    with pytest.raises(BuildFailed, match=r"wrong\.c:1:.*undeclared") as caught:
        build("int f(void) { return nowhere; }\n", "wrong")
    assert "nowhere" in caught.value.said
    assert kept(folder) == []


@needs_compiler
def test_a_warning_is_an_error_for_us_and_no_hindrance_for_users(folder: Path) -> None:
    """Another compiler may warn of what ours does not know; the tests build with -Werror what users build without."""
    careless = "int f(int a);\nint f(int a) { int unused; return a; }\n"
    strict = dataclasses.replace(find_compiler(), hard=("-O1", "-Werror"))
    with pytest.raises(BuildFailed, match="unused"):
        build(careless, "careless", compiler=strict)
    assert kept(folder) == []
    assert build(careless, "careless").is_file()


@needs_shell
def test_what_a_failing_compiler_says_is_shown(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "CC", str(script(tmp_path / "broken-cc", "touch half.o adds.so; echo the disk is gone >&2; exit 3"))
    )
    with pytest.raises(BuildFailed, match=r"broken-cc.*adds\.c: the disk is gone"):
        build(ADDS, "adds")
    assert kept(folder) == []


@needs_shell
def test_a_build_that_is_cut_off_leaves_nothing(tmp_path: Path, folder: Path) -> None:
    slow = script(tmp_path / "slow-cc", f'echo half > adds.so; touch "{tmp_path}/begun"; sleep 100; echo more > late')
    process = builder(CC=str(slow))
    wait_for((tmp_path / "begun").exists)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=MOMENT_S)
    assert "KeyboardInterrupt" in errors
    assert kept(folder) == []


@needs_compiler
@needs_shell
def test_what_a_killed_build_left_goes_later(tmp_path: Path, folder: Path) -> None:
    slow = script(tmp_path / "slow-cc", f'echo half > adds.so; echo $$ > "{tmp_path}/begun"; sleep 100')
    process = builder(CC=str(slow))
    wait_for(lambda: (tmp_path / "begun").exists() and (tmp_path / "begun").read_text().strip())
    process.kill()
    process.communicate(timeout=MOMENT_S)
    os.killpg(int((tmp_path / "begun").read_text()), signal.SIGKILL)
    (left,) = kept(folder)
    assert left.startswith(cache.DRAFT)
    assert not list(cache.find("adds", SUFFIX))
    build(ADDS, "adds")
    assert left in kept(folder), "a draft of today may be of somebody who builds"
    long_ago = time.time() - cache.STALE_S - 1
    os.utime(folder / left, (long_ago, long_ago))
    build(ADDS, "sums")
    assert len(kept(folder)) == 2
    assert left not in kept(folder)


def test_without_a_compiler_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ziglang" else found(name))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoCompiler, match=r"gcc or clang, or `pip install 'aeronef\[native\]'` .*Python back end works"):
        build(ADDS, "adds")
    assert kept(folder) == []


@pytest.mark.parametrize("named", ["no-such-compiler", f"'{sys.executable}' -c 'raise SystemExit(1)'"])
def test_a_compiler_that_is_named_and_does_not_run_is_not_passed_over(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", named)
    with pytest.raises(NoCompiler, match="CC is `"):
        build(ADDS, "adds")


@needs_shell
def test_a_stand_in_that_does_not_work_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\necho install the developer tools >&2\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    script(tmp_path / "gcc", "exit 0")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find_compiler().command == (str(tmp_path / "gcc"),)


@needs_compiler
def test_a_folder_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AERONEF_CACHE", str(tmp_path / "file"))
    with pytest.raises(BadInput, match=r"cannot keep anything in `.*file`"):
        build(ADDS, "adds")


# ------------------------------------------------------------------------------------------ compilers and folders


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the package ziglang is not installed")
def test_the_compiler_of_ziglang_builds_where_the_system_has_none(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    assert find_compiler().zig
    assert load(ADDS, "adds").add(2, 3) == 5
    assert len(kept(folder)) == 1


@needs_shell
@pytest.mark.skipif(sys.platform == "darwin", reason="XDG is not of macOS")
def test_the_folder_is_where_the_system_keeps_such_things(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache.folder() == Path(os.environ["AERONEF_CACHE"])
    monkeypatch.delenv("AERONEF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "aeronef"
    for none in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", none)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        assert cache.folder() == tmp_path / "home" / ".cache" / "aeronef"


@needs_compiler
@pytest.mark.parametrize(
    ("call", "found"), [("beyond(4)", "stack-buffer-overflow|out of bounds"), ("larger(2147483647)", "overflow")]
)
def test_sanitizers_find_what_is_undefined(call: str, found: str, folder: Path) -> None:
    compiler = find_compiler()
    environment = sanitizer_environment(compiler)
    if environment is None:
        pytest.skip("this compiler has no sanitizers that Python can load")
    path = build(OVERFLOWS, "overflows", sanitized=True)
    assert path != build(OVERFLOWS, "overflows")
    calls = (
        f"import ctypes; library = ctypes.CDLL({str(path)!r}); print(library.larger(1), library.beyond(3)); library."
    )
    run = subprocess.run(
        [sys.executable, "-c", calls + call], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert run.stdout.split() == ["2", "4"], run.stderr
    assert run.returncode != 0
    assert any(words in run.stderr for words in found.split("|")), run.stderr
    assert isinstance(load(OVERFLOWS, "overflows"), ctypes.CDLL)
