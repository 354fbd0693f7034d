"""The examples of the package's page print what stands below them."""

import contextlib
import io
import re
import unittest
from pathlib import Path
from typing import Any

README = Path(__file__).parent.parent / "package" / "README.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


class Examples(unittest.TestCase):
    """The examples, one after the other in one program."""

    def test_examples_print_what_the_page_says(self) -> None:
        """Runs every example."""
        names: dict[str, Any] = {}
        examples = EXAMPLE.findall(README.read_text())
        self.assertGreater(len(examples), 3)
        for code, expected in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, names)
            self.assertEqual(printed.getvalue(), expected)
