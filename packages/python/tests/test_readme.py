"""The examples of the package's page print what is below them."""

import contextlib
import io
import re
import unittest
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


class Examples(unittest.TestCase):
    """The examples of a section, one after the other in one program."""

    def test_examples_print_what_the_page_says(self) -> None:
        """Runs every example, without what another section has."""
        sections = [EXAMPLE.findall(section) for section in README.read_text().split("\n## ")]
        self.assertGreater(len([section for section in sections if section]), 3)
        for section in sections:
            names: dict[str, Any] = {}
            for code, expected in section:
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(code, names)
                self.assertEqual(printed.getvalue(), expected)
