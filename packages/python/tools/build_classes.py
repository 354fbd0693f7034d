"""Builds every class of a generated package, which pydantic otherwise leaves for its first use."""

import importlib
import sys
from pathlib import Path

from pydantic import BaseModel


def build(source: Path) -> None:
    """Imports the package in a source folder and builds its classes and their JSON schemas."""
    sys.path.insert(0, str(source))
    (package,) = (folder.name for folder in source.iterdir() if (folder / "py.typed").exists())
    importlib.import_module(package)
    models = importlib.import_module(f"{package}.generated.models")
    classes = [
        value
        for value in vars(models).values()
        if isinstance(value, type) and issubclass(value, BaseModel)
        if value.__module__ == models.__name__
    ]
    for cls in classes:
        cls.model_rebuild()
        cls.model_json_schema()
    if not classes:
        raise SystemExit(f"error: `{package}` has no classes")


build(Path(sys.argv[1]))
