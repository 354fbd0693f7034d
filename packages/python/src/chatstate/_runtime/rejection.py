"""Why a document was rejected."""

from __future__ import annotations


class Rejection(ValueError):
    """A rejected document: the class of the rule, the place, the rule and a sentence for people."""

    def __init__(self, category: str, rule: str, message: str, at: str = "") -> None:
        """Names the class of the rule, the rule, what is wrong and where."""
        super().__init__(f"{message}, at `{at}`" if at else message)
        self.category = category
        """The class: `syntax`, `limit`, `version`, `schema`, `semantic`, `sequence` or `restore`."""
        self.rule = rule
        """The keyword of JSON Schema for the class `schema`, else the name of a rule."""
        self.message = message
        """What is wrong and what to do about it, without the place."""
        self.at = at
        """The JSON pointer to the offending value; a missing member is named itself."""

    def __reduce__(self) -> tuple[type[Rejection], tuple[str, str, str, str]]:
        """Gives what pickling and copying make the rejection from again."""
        return type(self), (self.category, self.rule, self.message, self.at)

    @property
    def class_(self) -> str:
        """The class, by the name that the specification has for it; the same as `category`."""
        return self.category

    def within(self, *segments: str | int) -> Rejection:
        """Gives the same rejection, seen from the document that holds the value under `segments`."""
        return Rejection(self.category, self.rule, self.message, pointer(segments) + self.at)


def pointer(segments: tuple[str | int, ...]) -> str:
    """Gives the JSON pointer of a path."""
    return "".join("/" + str(segment).replace("~", "~0").replace("/", "~1") for segment in segments)
