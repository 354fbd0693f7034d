//! Lines as Prettier lays them out, so that a package stays as it is where people run Prettier.
//!
//! A template prints each statement in one line. A line that is longer than [`WIDTH`] is broken here,
//! by the rules of Prettier 3 for the few forms that generated code has. A line in any other form, such
//! as one of a template of the user's, stays as it is printed.

mod document;
mod expression;
mod reader;
mod types;

use document::{Doc, WIDTH, concat, group, indent, join, print, text};
use expression::Expression;
use reader::Reader;
use types::Ty;

/// The text of a file, with long lines broken.
pub(crate) fn laid_out(file: &str) -> String {
    let mut out = String::with_capacity(file.len());
    for line in file.lines() {
        match is_broken(line).then(|| statement(line)).flatten() {
            Some(doc) => out.push_str(&doc),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Whether a line is too long, or may have a list that Prettier never keeps in one.
fn is_broken(line: &str) -> bool {
    let is_comment = line.trim_start().starts_with(['/', '*']);
    let has_rows = line.contains("[[") || line.contains("[{ ");
    !is_comment && (has_rows || line.len() > WIDTH && line.chars().count() > WIDTH)
}

/// A statement over several lines; none where it has a form that generated code does not have.
fn statement(line: &str) -> Option<String> {
    let code = line.trim_start_matches(' ');
    let indentation = line.len() - code.len();
    let doc = match code.strip_suffix(';') {
        Some(code) => concat([declaration(code)?, text(";")]),
        None => function(code)?,
    };
    Some(format!(
        "{}{}",
        " ".repeat(indentation),
        print(&doc, indentation)
    ))
}

/// What ends with a semicolon, without it.
fn declaration(code: &str) -> Option<Doc> {
    import(code)
        .or_else(|| alias(code))
        .or_else(|| returned(code))
        .or_else(|| assignment(code))
        .or_else(|| member(code))
        .or_else(|| parts(code))
}

/// `export function a(b: B): b is C<D, E> {`. Its parameters are broken before what it returns.
fn function(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    if !reader.is_at("export function ") {
        return None;
    }
    let name = text(reader.until("(")?);
    let parameters = text(reader.until(")")?);
    let parameters = indent([Doc::SoftLine, parameters, Doc::IfBroken(",")]);
    let mut head = vec![text("("), parameters, Doc::SoftLine, text(")")];
    if let Some(ty) = reader.until("<") {
        let arguments = reader.listed("", ">", |reader| reader.atom().map(text))?;
        let arguments = join(&[text(","), Doc::Line], arguments);
        let arguments = indent([Doc::SoftLine, arguments]);
        let arguments = group([text("<"), arguments, Doc::SoftLine, text(">")]);
        head.extend([text(ty), arguments]);
    }
    head.push(text(reader.rest()));
    Some(concat([name, group(head)]))
}

/// `import { a, b } from "c"`. Prettier keeps one name in the line.
fn import(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    let keyword = ["import type ", "import "]
        .into_iter()
        .find(|it| reader.skip(it))?;
    let names = reader.listed("{ ", " }", |reader| {
        let kind = if reader.skip("type ") { "type " } else { "" };
        Some(format!("{kind}{}", reader.atom()?))
    })?;
    if names.len() == 1 {
        return None;
    }
    let names = join(&[text(","), Doc::Line], names.into_iter().map(text));
    let names = indent([Doc::Line, names, Doc::IfBroken(",")]);
    let names = group([text("{"), names, Doc::Line, text("}")]);
    Some(concat([text(keyword), names, text(reader.rest())]))
}

/// `export type A = B | C`. A union begins on a line of its own before it is broken.
fn alias(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    if !reader.is_at("export type ") {
        return None;
    }
    let head = text(format!("{} =", reader.until(" = ")?));
    let ty = Ty::read(&mut reader).filter(|_| reader.rest().is_empty())?;
    Some(match ty {
        Ty::Union(_) => group([head, indent([Doc::Line, ty.doc()])]),
        other => group([head, Doc::Assigned(other.doc().into())]),
    })
}

/// `return a(b)`.
fn returned(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    if !reader.skip("return ") {
        return None;
    }
    let value = whole(reader)?;
    Some(concat([text("return "), value.returned_doc()]))
}

/// `const a: A = b`, also exported, or `a = b`.
fn assignment(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    let target = reader.until(" = ")?;
    // Several variables of one value are a form that generated code does not have.
    if target.contains('{') {
        return None;
    }
    let head = text(format!("{target} ="));
    let value = whole(reader)?;
    let doc = value.doc();
    Some(if value.begins_on_a_line_of_its_own() {
        group([head, indent([Doc::Line, doc])])
    } else {
        group([head, Doc::Assigned(doc.into())])
    })
}

/// `a?: A`, a member of an interface.
fn member(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    let head = text(reader.until(": ")?);
    let ty = Ty::read(&mut reader).filter(|_| reader.rest().is_empty())?;
    Some(concat([head, ty.member_doc()]))
}

/// `A | B`, the parts of a union whose first has a comment before it.
fn parts(code: &str) -> Option<Doc> {
    let mut reader = Reader::new(code);
    let ty = Ty::read(&mut reader).filter(|_| reader.rest().is_empty())?;
    Some(ty.doc())
}

/// An expression that nothing is after.
fn whole(mut reader: Reader<'_>) -> Option<Expression> {
    Expression::read(&mut reader).filter(|_| reader.rest().is_empty())
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, laid_out};

    /// Compares with what Prettier 3.10 makes of a line. `tools/check` of the package has Prettier itself judge
    /// whole packages.
    fn check(line: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|line| long(line)).collect();
        assert_eq!(laid_out(&long(line)), expected.join("\n") + "\n", "{line}");
    }

    #[test]
    fn long_declarations_are_broken() {
        check(
            "import { a, B, C } from \"d\";",
            &["import {", "  a,", "  B,", "  C,", "} from \"d\";"],
        );
        check(
            "import type { A, B } from \"d\";",
            &["import type {", "  A,", "  B,", "} from \"d\";"],
        );
        check(
            "import { A } from \"./D.js\";",
            &["import { A } from \"./D.js\";"],
        );
        check("export type D = B | C;", &["export type D =", "  B | C;"]);
        check(
            "export type D = A | C;",
            &["export type D =", "  | A", "  | C;"],
        );
        check(
            "export type D = (A | C)[] | null;",
            &[
                "export type D =",
                "  | (",
                "      | A",
                "      | C",
                "    )[]",
                "  | null;",
            ],
        );
        check(
            "export type D = [A, C];",
            &["export type D = [", "  A,", "  C,", "];"],
        );
        check("  D?: B | C;", &["  D?:", "    B | C;"]);
        check(
            "  [name: string]: A | C;",
            &["  [name: string]:", "    | A", "    | C;"],
        );
        check(
            "  D: { [name: string]: B | C } | null;",
            &[
                "  D: {",
                "    [name: string]:",
                "      B | C;",
                "  } | null;",
            ],
        );
    }

    #[test]
    fn long_expressions_are_broken() {
        check(
            "  found = B(member, [C, D]);",
            &["  found = B(member, [", "    C,", "    D,", "  ]);"],
        );
        check(
            "  found = list(D, (item) => B(item, C));",
            &["  found = list(D, (item) =>", "    B(item, C),", "  );"],
        );
        check(
            "  found = list(D, (item) => (item === null ? undefined : A(item)));",
            &[
                "  found = list(D, (item) =>",
                "    item === null",
                "      ? undefined",
                "      : A(item),",
                "  );",
            ],
        );
        check(
            "  found = B === undefined || (C && D) ? undefined : D(member, C);",
            &[
                "  found =",
                "    B === undefined ||",
                "    (C && D)",
                "      ? undefined",
                "      : D(member, C);",
            ],
        );
        check(
            "  return A && C ? undefined : D(value);",
            &[
                "  return A &&",
                "    C",
                "    ? undefined",
                "    : D(value);",
            ],
        );
        check("const D = parser(A);", &["const D = parser(", "  A,", ");"]);
        check("const B: B = parser(D);", &["const B: B =", "  parser(D);"]);
        check(
            "export function A(value: D): value is Exclude<B, C> {",
            &[
                "export function A(",
                "  value: D,",
                "): value is Exclude<",
                "  B,",
                "  C",
                "> {",
            ],
        );
        check(
            "  return noSuchTag(value[\"D\"], [\"B\", \"C\"]).within(\"D\");",
            &[
                "  return noSuchTag(value[\"D\"], [",
                "    \"B\",",
                "    \"C\",",
                "  ]).within(\"D\");",
            ],
        );
    }

    /// What comes after a list may be broken in its place.
    #[test]
    fn the_last_call_is_broken_where_the_one_before_it_fits() {
        check(
            "  return noSuchTag(D, [B]).within(\"method\");",
            &[
                "  return noSuchTag(D, [B]).within(",
                "    \"method\",",
                "  );",
            ],
        );
    }

    #[test]
    fn lists_of_lists_are_never_in_one_line() {
        let check =
            |line: &str, expected: &str| assert_eq!(laid_out(line), format!("{expected}\n"));
        check("const a = [[b], [c]];", "const a = [[b], [c]];");
        check(
            "const a = f([[b, c], [d, e]]);",
            "const a = f([\n  [b, c],\n  [d, e],\n]);",
        );
        check(
            "const a = [{ b: c }, { b: d }];",
            "const a = [{ b: c }, { b: d }];",
        );
    }

    #[test]
    fn numbers_share_lines() {
        let numbers: Vec<String> = (100..140).map(|number| number.to_string()).collect();
        let out = laid_out(&format!(
            "  return noSuchValue(value, [{}]);",
            numbers.join(", ")
        ));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[..3], ["  return noSuchValue(", "    value,", "    ["]);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{out}");
        assert!(lines[3].len() > WIDTH - 5, "{out}");
    }

    /// A user's template prints what it likes.
    #[test]
    fn what_is_not_understood_stays() {
        for line in [
            "// A long comment: A = [[B, C], [D, B]]",
            "  const { A, B } = D;",
            "  for (const D of A(B, C)) D.push(A);",
            "  found = A(\"an open text, B);",
            "  found = A(B;",
            "  A",
        ] {
            let line = long(line);
            assert_eq!(laid_out(&line), format!("{line}\n"));
        }
    }

    /// `A` to `D` stand for names of 100, 60, 40 and 20 letters.
    fn long(line: &str) -> String {
        let mut long = line.to_owned();
        for (name, length) in [("A", 100), ("B", 60), ("C", 40), ("D", 20)] {
            long = long.replace(name, &name.to_lowercase().repeat(length));
        }
        long
    }
}
