use serde_json::json;

use super::{Overlay, Templates, View};
use crate::Files;

fn files(texts: &[(&str, &str)]) -> Files {
    let mut files = Files::new();
    for (path, text) in texts {
        files.add(*path, (*text).to_owned()).expect("a file");
    }
    files
}

/// What the template `main.hbs` prints, or the error.
fn printed(texts: &[(&str, &str)], overlay: &Overlay) -> Result<String, String> {
    let view = json!({"name": "Chat", "none": null, "members": [
        {"kind": "list", "of": {"kind": "name", "to": "A"}},
        {"kind": "name", "to": "B"},
    ]});
    let templates = Templates::new("python", &files(texts), overlay);
    let templates = templates.map(|it| it.with_spelling("string", |text| format!("{text:?}")));
    let printed =
        templates.and_then(|templates| templates.files(vec![View::new("out", "main", &view)?]));
    let printed = printed.map_err(|error| error.to_string())?;
    Ok(printed.get("out").expect("the file").to_owned())
}

#[test]
fn a_template_prints_its_view() {
    let check = |main: &str, expected: &str| {
        let printed = printed(&[("main.hbs", &format!("{main}\n"))], &Overlay::default());
        assert_eq!(printed, Ok(format!("{expected}\n")), "{main}");
    };
    check("<{{name}}>", "<Chat>");
    check("{{string name}}", "\"Chat\"");
    check("{{#string}}a{{name}}{{/string}}", "\"aChat\"");
    check("{{#if none}}a{{else}}b{{/if}}", "b");
    check("{{#unless none}}a{{/unless}}", "a");
}

#[test]
fn a_partial_prints_a_part_of_the_view() {
    let texts = [
        (
            "main.hbs",
            "{{#each members}}\n    {{> kind}},\n{{/each}}\n",
        ),
        // What is a part of a line takes away the line feed at its own end.
        (
            "kind.hbs",
            "{{#if (eq kind \"list\")}}[{{> kind of}}]{{else}}{{to}}{{/if~}}\n",
        ),
    ];
    let printed = printed(&texts, &Overlay::default());
    assert_eq!(printed, Ok("    [A],\n    B,\n".to_owned()));
}

#[test]
fn views_of_one_path_that_follow_each_other_are_parts_of_a_file() {
    let check = |paths: &[&str], expected: Result<&[(&str, &str)], &str>| {
        let texts = files(&[("main.hbs", "{{number}}\n")]);
        let templates = Templates::new("python", &texts, &Overlay::default()).expect("templates");
        let views = paths
            .iter()
            .zip(1..)
            .map(|(path, number)| View::new(*path, "main", &json!({"number": number})));
        let views = views.collect::<Result<_, _>>().expect("views");
        let printed = templates.files(views).map_err(|error| error.to_string());
        let expected = expected.map(files).map_err(str::to_owned);
        assert_eq!(printed, expected, "{paths:?}");
    };
    check(&["a", "b"], Ok(&[("a", "1\n"), ("b", "2\n")]));
    check(&["a", "a", "b"], Ok(&[("a", "1\n2\n"), ("b", "3\n")]));
    let twice =
        "generated file `a` is made twice\n  help: this is a bug of the generator; report it";
    check(&["a", "b", "a"], Err(twice));
}

#[test]
fn a_faulty_template_is_told_with_its_place() {
    let check = |main: &str, expected: &str| {
        let mut overlay = Overlay::default();
        overlay.add("python/main.hbs", "mine/main.hbs", main.to_owned());
        overlay.add("rust/other.hbs", "mine/other.hbs", "{{".to_owned());
        let error = printed(&[("main.hbs", "\n")], &overlay);
        assert_eq!(error, Err(expected.to_owned()), "{main}");
    };
    let view = "`chatstate generate LANGUAGE --emit view` prints what it has";
    check(
        "a\n{{nam}}\n",
        &format!(
            "template `mine/main.hbs:2:1`: its view has no `nam` here\n  help: is it `name`? {view}"
        ),
    );
    check(
        "{{#if nam}}a{{/if}}\n",
        &format!(
            "template `mine/main.hbs:1:1`: its view has no `nam` here\n  help: is it `name`? {view}"
        ),
    );
    check(
        "{{#each members}}{{name}}{{/each}}\n",
        &format!(
            "template `mine/main.hbs:1:18`: its view has no `name` here\n  help: in `each`, what is around it is `../name`; {view}"
        ),
    );
    check(
        "{{> mann}}\n",
        "template `mine/main.hbs:1:1`: there is no template `mann`\n  help: is it `main`? \
         `chatstate generate templates LANGUAGE --out DIR` writes all of them",
    );
    check(
        "a\n{{#if name}}\n",
        "template `mine/main.hbs:3:1`: invalid handlebars syntax\n  help: close each `{{#each}}`, \
         `{{#if}}` and `{{` that it opens",
    );
}

#[test]
fn an_overlay_for_no_template_is_rejected() {
    let mut overlay = Overlay::default();
    overlay.add("python/mein.hbs", "mine/mein.hbs", String::new());
    assert_eq!(
        printed(&[("main.hbs", "\n")], &overlay),
        Err(
            "template `mine/mein.hbs`: it takes the place of no template\n  help: is it \
             `main.hbs`? `chatstate generate templates LANGUAGE --out DIR` writes all of them"
                .to_owned()
        )
    );
}
