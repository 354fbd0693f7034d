"""The wheel and the source distribution are built and used as users do: in a clean environment, by the page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheel and the source distribution, both made of a copy of the package."""
    folder = tmp_path_factory.mktemp("built")
    copy = folder / "package"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", ".sdk"))
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(copy)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def the(folder: Path, pattern: str) -> Path:
    """The one file of a name."""
    (found,) = folder.glob(pattern)
    return found


def test_both_have_all_files(built: Path) -> None:
    source = {str(path.relative_to(PACKAGE / "src")) for path in (PACKAGE / "src").rglob("*.*")}
    source = {name for name in source if "__pycache__" not in name}
    assert "chatstate/py.typed" in source
    with zipfile.ZipFile(the(built, "*.whl")) as wheel:
        assert source <= set(wheel.namelist())
    with tarfile.open(the(built, "*.tar.gz")) as archive:
        names = {name.split("/src/")[-1] for name in archive.getnames()}
        assert source <= names


def test_the_page_alone_is_enough(built: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(the(built, "*.whl"))], check=True)
    examples = EXAMPLE.findall((PACKAGE / "README.md").read_text(encoding="utf-8"))
    program = tmp_path / "examples.py"
    program.write_text("".join(code for code, _ in examples), encoding="utf-8")
    run = subprocess.run([python, "-I", str(program)], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("".join(printed for _, printed in examples), "")
