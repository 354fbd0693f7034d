//! The report as a page, in a real browser: does it show what is wrong, from disk and by keyboard?

use chatstate_tests::browser::Browser;
use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME, report};
use serde_json::Value;

/// What a reader does, as a script that ends with `return`, and what comes of it. `press` sends a key to
/// where the focus is.
struct Visit {
    name: &'static str,
    script: &'static str,
    finds: &'static str,
}

const VISITS: &[Visit] = &[
    Visit {
        name: "everything is closed at first",
        script: "return [rows('tr.suite'), rows('tr.requirement'), rows('.card'), text('#found')]",
        finds: r#"[1,0,2,"5 cases"]"#,
    },
    Visit {
        name: "the whole is counted",
        script: "return [...document.querySelectorAll('tr.whole td')].map((it) => it.textContent)",
        finds: r#"["✓ 5/5","✗ 0/5"]"#,
    },
    Visit {
        name: "a search opens what it finds",
        script: "type('LOWER-case kept'); return [text('#found'), rows('tr.case')]",
        finds: r#"["1 case",2]"#,
    },
    Visit {
        name: "a search finds requirements",
        script: "type('event.former-types'); return text('tr.case code')",
        finds: r#""round-trip/unknown-event-former""#,
    },
    Visit {
        name: "a search that finds nothing says so",
        script: "type('no such case'); return [text('#found'), rows('tr.suite'), text('tr.nothing').includes('no such case')]",
        finds: r#"["0 cases",0,true]"#,
    },
    Visit {
        name: "what they do not agree on",
        script: "choose('unequal'); return text('#found')",
        finds: r#""5 cases""#,
    },
    Visit {
        name: "what is known to fail is not unexpected",
        script: "choose('failing'); const all = text('#found'); choose('bad'); return [all, text('#found')]",
        finds: r#"["5 cases","5 cases"]"#,
    },
    Visit {
        name: "rows by keyboard",
        script: "document.querySelector('.opener').focus(); press('ArrowRight'); press('ArrowDown');
            press('ArrowRight'); const open = [focused().dataset.key, rows('tr.case')];
            press('ArrowLeft'); press('ArrowLeft'); const up = focused().dataset.key;
            press('ArrowLeft'); return [...open, up, rows('tr.requirement')]",
        finds: r#"["round-trip event.former-types",1,"round-trip",0]"#,
    },
    Visit {
        name: "search by keyboard",
        script: "press('/'); return focused().id",
        finds: r#""find""#,
    },
    Visit {
        name: "a failure is told, and closed by keyboard",
        script: "type('unknown-event-in-stream'); const cell = document.querySelector('td.bad button');
            cell.focus(); cell.click(); const told = document.querySelectorAll('.told td.was').length;
            const open = cell.getAttribute('aria-expanded');
            document.querySelector('.told .close').focus(); press('Escape');
            return [told, open, rows('.told'), focused() === cell]",
        finds: r#"[1,"true",0,true]"#,
    },
    Visit {
        name: "what is told is evidence, reason and command",
        script: "type('unknown-event-in-stream'); document.querySelector('td.bad button').click();
            const told = text('.told'); return ['/1', 'unknown-variant-dropped', 'FUTURE_EVENT',
            'its neighbours give it its meaning', 'A round trip MUST keep an event of an unknown',
            'chatstate test --only round-trip/unknown-event-in-stream -- '].filter((it) => !told.includes(it))",
        finds: "[]",
    },
    Visit {
        name: "a link to a case",
        script: "goTo('round-trip/unknown-event'); return [rows('tr.case') > 0, focused().closest('tr').querySelector('code').textContent]",
        finds: r#"[true,"round-trip/unknown-event"]"#,
    },
    Visit {
        name: "documents keep their numbers and escapes",
        script: r#"return indented('{"a":1e400,"b":[],"c":"\\ud83d,[{"}')"#,
        finds: r#""{\n  \"a\": 1e400,\n  \"b\": [],\n  \"c\": \"\\ud83d,[{\"\n}""#,
    },
    Visit {
        name: "what fails is told by cause, with the shortest input and links to its cases",
        script: "const first = document.querySelector('.causes li'); const link = first.querySelector('ul a');
            goTo(decodeURIComponent(link.hash.slice(1))); return [first.id, first.textContent.includes('input'),
            link.textContent === focused().closest('tr').querySelector('code').textContent]",
        finds: r#"["cause-2-1",true,true]"#,
    },
    Visit {
        name: "all rows open and close at once",
        script: "document.getElementById('expand').click(); const all = rows('tr.case');
            document.getElementById('collapse').click(); return [all >= 5, rows('tr.case')]",
        finds: "[true,0]",
    },
    Visit {
        name: "the colours can be chosen",
        script: "document.getElementById('theme').click(); document.getElementById('theme').click();
            return getComputedStyle(document.body).backgroundColor",
        finds: r#""rgb(20, 23, 28)""#,
    },
    Visit {
        name: "nothing is loaded, and nothing is wider than the page",
        script: "return [performance.getEntriesByType('resource').length,
            document.documentElement.scrollWidth <= innerWidth]",
        finds: "[0,true]",
    },
];

/// What the scripts are written with. What one gives is kept where the dumped document has it.
const READER: &str = r"
const rows = (selector) => document.querySelectorAll(selector).length;
const text = (selector) => document.querySelector(selector).textContent;
const focused = () => document.activeElement;
const press = (key) => focused().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const type = (words) => { find.value = words; find.dispatchEvent(new Event('input')); };
const choose = (what) => { show.value = what; show.dispatchEvent(new Event('change')); };
const reset = () => { find.value = ''; show.value = 'all'; closeTold(); open.clear(); draw(); };
const visits = [SCRIPTS];
const found = visits.map((visit) => {
  reset();
  try { return visit(); } catch (error) { return String(error); }
});
document.body.dataset.found = encodeURIComponent(JSON.stringify(found));
";

/// Opens a page, does what each script says from the beginning, and gives what they found.
fn visit(browser: Browser, folder: &ReportFolder, page: &str, scripts: &[&str]) -> Vec<Value> {
    let scripts: Vec<_> = scripts
        .iter()
        .map(|it| format!("() => {{ {it} }}"))
        .collect();
    let script = READER.replace("SCRIPTS", &scripts.join(",\n"));
    let script = format!("<script>{script}</script></body>");
    let file = folder.write("visited.html", &page.replace("</body>", &script));
    let document = browser.open(&file);
    let found = document.split("data-found=\"").nth(1);
    let found = found.and_then(|rest| rest.split('"').next());
    let found = decoded(found.unwrap_or_else(|| panic!("the scripts did not end:\n{script}")));
    serde_json::from_str(&found).expect("a list was kept")
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).expect("two digits follow"));
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).expect("it is UTF-8")
}

fn page_of(folder: &ReportFolder, files: &[&str]) -> String {
    let option = format!("html={}", folder.path("page.html"));
    let files: Vec<_> = files.iter().map(|name| folder.path(name)).collect();
    let mut arguments = vec!["show", "--report", &option];
    arguments.extend(files.iter().map(String::as_str));
    let finished = report(&arguments);
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    folder.text("page.html")
}

#[test]
fn a_reader_finds_what_is_wrong() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let folder = ReportFolder::create();
    let _ = folder.run("good.jsonl", SOME, None);
    let _ = folder.run("bad.jsonl", SOME, Some(MUTANT));
    let page = page_of(&folder, &["good.jsonl", "bad.jsonl"]);
    let scripts: Vec<_> = VISITS.iter().map(|it| it.script).collect();
    let found = visit(browser, &folder, &page, &scripts);
    for (Visit { name, finds, .. }, found) in VISITS.iter().zip(found) {
        assert_eq!(found.to_string(), *finds, "{name}");
    }
}

/// What an adapter writes is text, whatever it looks like.
#[test]
fn what_an_adapter_writes_is_no_markup() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let folder = ReportFolder::create();
    let _ = folder.run("run.json", SOME, Some(MUTANT));
    let mut run: Value = serde_json::from_str(&folder.text("run.json")).expect("it is JSON");
    let hostile = "</script><img src=x onerror=document.title=1><!-- {{script}} &amp; \u{2028}`";
    run["implementation"]["name"] = hostile.into();
    run["cases"][0]["title"] = hostile.into();
    run["cases"][0]["detail"]["differences"][0]["got"] = hostile.into();
    let _ = folder.write("run.json", &run.to_string());
    let page = page_of(&folder, &["run.json"]);
    let script = "goTo('round-trip/unknown-event'); focused().click();
        return [document.images.length, rows('script'), text('h1'), text('.told td.is')]";
    let found = visit(browser, &folder, &page, &[script]);
    let heading = format!("{hostile} 0.1.0");
    assert_eq!(found, [serde_json::json!([0, 3, heading, hostile])]);
}

/// The page opens on what failed, and two runs of one SDK have the names of their files.
#[test]
fn the_page_opens_on_what_failed() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let folder = ReportFolder::create();
    let _ = folder.run("bad.jsonl", SOME, Some(MUTANT));
    let _ = folder.run("later.jsonl", SOME, Some(MUTANT));
    let page = page_of(&folder, &["bad.jsonl", "later.jsonl"]);
    let script = "return [...document.querySelectorAll('.card h2')].map((it) => it.textContent.split('/').pop())";
    let found = visit(browser, &folder, &page, &[script]);
    assert_eq!(found, [serde_json::json!(["bad.jsonl", "later.jsonl"])]);
    let opened = browser.open(&folder.path("page.html"));
    assert!(opened.contains("<tr class=\"case\">"), "no case is open");
}

#[test]
fn five_runs_of_the_whole_corpus_fit_on_a_page() {
    let folder = ReportFolder::create();
    let finished = folder.run("run.jsonl", &[], Some("wrong-reason"));
    assert_eq!(finished.code, 1, "{}", finished.stdout);
    let page = page_of(&folder, &["run.jsonl"; 5]);
    assert!(page.len() < 2_700_000, "{} bytes", page.len());
    assert!(
        !page.contains("http://") && !page.contains("src=\""),
        "something is loaded"
    );
}
