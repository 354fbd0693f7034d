"""What tests of other programs get: comparison by canonical value, and the classes of losses."""

from __future__ import annotations

import json
from typing import Any

import pytest

import chatstate
from chatstate import ChatState, digest, equals, parse
from chatstate.testing import assert_same, differences
from documents import ROOT

pytest_plugins = ["pytester"]

DIFFERENCES = [
    ('{"a":1.0,"b":[]}', '{"b":[],"a":1}', []),
    ('{"a":1,"b":null}', "{}", ["member-dropped at /a", "absent-for-null at /b"]),
    ("{}", '{"a":1,"b":null}', ["member-added at /a", "null-for-absent at /b"]),
    ('{"messageId":"m"}', '{"message_id":"m"}', ["member-renamed at /messageId"]),
    ('["a","b"]', '["b","a"]', ["array-reordered at the whole document"]),
    ('["a","b","c"]', '["a","c"]', ["item-dropped at /1"]),
    ('["a","c"]', '["a","b","c"]', ["item-added at /1"]),
    ("[9007199254740993]", "[9007199254740992]", ["number-rounded at /0"]),
    ("[1,1,1,true]", '[2,"1",null,false]', ["number-changed", "number-retyped", "kind-changed", "boolean"]),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d"}}', ["text-changed at /a/b"]),
]


@pytest.mark.parametrize(("before", "after", "expected"), DIFFERENCES)
def test_differences(before: str, after: str, expected: list[str]) -> None:
    found = [str(one) for one in differences(parse(before), parse(after))]
    assert len(found) == len(expected), found
    assert all(one.startswith(start) for one, start in zip(found, expected, strict=True)), found


def test_the_part_that_differs_is_shown() -> None:
    words = "The quick brown fox jumps over the lazy dog. " * 3
    with pytest.raises(AssertionError) as failure:
        assert_same({"a": words + "two"}, {"a": words + "one"})
    assert 'dog. one" became ' in str(failure.value) and str(failure.value).endswith('dog. two"')
    with pytest.raises(AssertionError, match='text-changed at the whole document: "b" became "a"'):
        assert_same("a", "b")


def test_a_failure_names_every_difference() -> None:
    expected = {"b": [1, 2], "n": 9007199254740993, "t": "old", "gone": {"x": []}, "null": None}
    actual = {"b": [2, 1], "n": 9007199254740992, "t": "new", "new": 1}
    with pytest.raises(AssertionError) as failure:
        assert_same(actual, expected)
    assert str(failure.value).splitlines() == [
        "6 difference(s) from what was expected:",
        "  array-reordered at /b: [1,2] became [2,1]",
        "  number-rounded at /n: 9007199254740993 became 9007199254740992",
        '  text-changed at /t: "old" became "new"',
        '  member-dropped at /gone: {"x":[]}',
        "  absent-for-null at /null: null",
        "  member-added at /new: 1",
    ]


def test_models_are_compared_by_what_they_mean() -> None:
    state = ChatState.from_json('{"history":[],"channels":[],"later":1.0}')
    assert_same(state, {"later": 1, "channels": [], "history": []})
    with pytest.raises(AssertionError, match="member-dropped at /x: 1"):
        assert_same(state, {"later": 1, "channels": [], "history": [], "x": 1})


EQUALITY: list[dict[str, Any]] = json.loads((ROOT / "packages/testdata/equality.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", EQUALITY)
def test_what_is_equal_in_every_language(row: dict[str, Any]) -> None:
    kinds: list[Any] = [parse]
    if "type" in row:
        kinds.append(getattr(chatstate, row["type"]).from_json)
    for left in (read(row["left"]) for read in kinds):
        assert digest(left) == row["digest"]
        for right in (read(row["right"]) for read in kinds):
            assert equals(left, right) == row["equal"]
            if row["equal"]:
                assert_same(left, right)
                continue
            with pytest.raises(AssertionError):
                assert_same(left, right)


def test_the_fixture(pytester: pytest.Pytester) -> None:
    test = """
        import os
        def test_chat(chat_snapshot):
            chat_snapshot({"a": float(os.environ["VALUE"])})
            chat_snapshot([], "empty")
    """
    pytester.makepyfile(test_saved=test)

    def outcome(value: str, *arguments: str) -> tuple[dict[str, int], str]:
        monkeypatch = pytest.MonkeyPatch()
        monkeypatch.setenv("VALUE", value)
        result = pytester.runpytest_subprocess("-p", "chatstate.pytest_plugin", *arguments)
        monkeypatch.undo()
        return result.parseoutcomes(), result.stdout.str()

    counts, shown = outcome("1")
    assert counts == {"failed": 1} and "--update-chat-snapshots" in shown
    assert outcome("1", "--update-chat-snapshots")[0] == {"passed": 1}
    names = {path.name for path in (pytester.path / "chat_snapshots" / "test_saved").iterdir()}
    assert names == {"test_chat.json", "test_chat-empty.json"}
    text = (pytester.path / "chat_snapshots" / "test_saved" / "test_chat.json").read_text(encoding="utf-8")
    assert text == '{\n  "a": 1\n}\n'
    assert outcome("1.0")[0] == {"passed": 1}
    counts, shown = outcome("2")
    assert counts == {"failed": 1} and "number-changed at /a: 1 became 2" in shown
    assert "test_chat.json`; if they are right, run pytest with `--update-chat-snapshots`" in shown
    # The frames of the plugin say nothing to who wrote the test.
    assert "snapshots.py" not in shown


def test_each_case_of_a_test_has_its_own_file(pytester: pytest.Pytester) -> None:
    test = """
        import pytest
        @pytest.mark.parametrize("who", ["a/b", "a b", "a-b", "{\\"\\u20ac"])
        def test_chat(chat_snapshot, who):
            chat_snapshot({"who": who, "list": [[], {}, [1, "[,:]"]]})
    """
    pytester.makepyfile(test_saved=test)
    for arguments in [["--update-chat-snapshots"], []]:
        result = pytester.runpytest_subprocess("-p", "chatstate.pytest_plugin", *arguments)
        assert result.parseoutcomes() == {"passed": 4}
    assert len(list((pytester.path / "chat_snapshots" / "test_saved").iterdir())) == 4
