"use strict";
// The data of the page: runs, suites with their cases, and what was found about them. Text that an adapter
// wrote is only ever set as text.
const data = JSON.parse(document.getElementById("data").textContent);
const table = document.getElementById("table");
const body = table.tBodies[0];
const find = document.getElementById("find");
const show = document.getElementById("show");

/** What a verdict's letter means: its name, the class of its colour, and whether it is scored. */
const VERDICTS = {
  p: ["pass", "good", true],
  f: ["fail", "bad", true],
  e: ["error", "bad", true],
  x: ["unexpected pass", "bad", true],
  l: ["flaky", "bad", true],
  n: ["not judged", "bad", true],
  k: ["expected failure", "known", true],
  w: ["warning", "warn", true],
  u: ["unclassified", "warn", true],
  s: ["skip", "none", false],
  r: ["recorded", "none", false],
  "-": ["not in this run", "none", false],
};
const SIGNS = { good: "✓", bad: "✗", known: "●", warn: "!", none: "–" };
const RANK = ["bad", "known", "warn", "good", "none"];

/** The cases, flat, each with its suite, and the rows that are open. */
const cases = data.suites.flatMap((suite) =>
  suite.cases.map(([name, title, why, requirements, index, input]) => ({
    id: `${suite.name}/${name}`, suite: suite.name, name, title, why, index, input,
    requirements: requirements.map((it) => data.requirements[it][0]),
  })));
for (const one of cases) {
  one.text = [one.id, one.title, ...one.requirements].join("\n").toLowerCase();
}
const wording = new Map(data.requirements.map(([id, keyword, text]) => [id, { keyword, text }]));
const open = new Set();

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Text in which words between backticks are code. */
function inline(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}

const letter = (run, one) => data.runs[run].cells[one.index];
const verdict = (run, one) => VERDICTS[letter(run, one)];

/** Whether a case is to be seen with what the controls say. */
function isShown(one) {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => one.text.includes(word))) return false;
  const classes = data.runs.map((_, run) => verdict(run, one)[1]);
  if (show.value === "bad") return classes.includes("bad");
  if (show.value === "failing") return classes.some((it) => it === "bad" || it === "known");
  if (show.value === "unequal") return new Set(classes.filter((it) => it !== "none")).size > 1;
  return true;
}

function grouped(items, keys) {
  const groups = new Map();
  for (const item of items) {
    for (const key of keys(item)) {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(item);
    }
  }
  return groups;
}

/** A cell that counts the cases of a row. */
function countCell(run, members) {
  const counts = new Map();
  let scored = 0;
  let passed = 0;
  for (const one of members) {
    const [name, , isScored] = verdict(run, one);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    scored += isScored ? 1 : 0;
    passed += name === "pass" || name === "warning" ? 1 : 0;
  }
  const classes = members.map((one) => verdict(run, one)[1]);
  const worst = RANK.find((it) => classes.includes(it)) ?? "none";
  const words = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  const text = scored === 0 ? SIGNS.none : `${SIGNS[worst]} ${passed}/${scored}`;
  const cell = element("td", { class: worst, title: `${runName(run)}: ${words}` });
  cell.append(element("span", { class: "sign" }, text));
  return cell;
}

function caseCell(run, one, key) {
  const [name, colour] = verdict(run, one);
  const text = `${SIGNS[colour]}\u00a0${name}`;
  const cell = element("td", { class: colour });
  const told = data.runs[run].told[one.index];
  if (told === undefined) {
    cell.append(element("span", { class: "sign" }, text));
    return cell;
  }
  cell.append(element("button", {
    type: "button", "aria-expanded": "false", "aria-label": `${runName(run)}: ${name}, ${one.id}`,
    onclick: (event) => toggleTold(event.currentTarget, run, one, key),
  }, text));
  return cell;
}

const runName = (run) => data.runs[run].name;

function opener(key, ...label) {
  return element("button", {
    type: "button", class: "opener", "data-key": key, "aria-expanded": String(open.has(key)),
    onclick: () => toggle(key),
  }, ...label);
}

function row(kind, head, cells) {
  return element("tr", { class: kind }, element("th", { scope: "row" }, head), ...cells);
}

const each = (make) => data.runs.map((_, run) => make(run));

/** All rows that are to be seen; what is closed has none. */
function draw() {
  const shown = cases.filter(isShown);
  const whole = element("span", { class: "row" }, "all suites");
  const rows = [row("whole", whole, each((run) => countCell(run, shown)))];
  for (const [suite, members] of grouped(shown, (one) => [one.suite])) {
    const key = suite;
    rows.push(row("suite", opener(key, suite), each((run) => countCell(run, members))));
    if (open.has(key)) rows.push(...requirementRows(suite, members));
  }
  if (shown.length === 0) rows.push(nothingRow());
  body.replaceChildren(...rows);
  const count = shown.length === 1 ? "1 case" : `${shown.length} cases`;
  document.getElementById("found").textContent = count;
}

/** What is said where no case is to be seen. */
function nothingRow() {
  const chosen = show.selectedOptions[0].textContent;
  const words = find.value.trim() === "" ? `No case is among “${chosen}”.`
    : `No case among “${chosen}” has “${find.value.trim()}” in its id, title or requirements.`;
  return element("tr", { class: "nothing" }, element("td", { colspan: data.runs.length + 1 }, words));
}

function requirementRows(suite, members) {
  const rows = [];
  const groups = [...grouped(members, (one) => one.requirements)];
  groups.sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [id, own] of groups) {
    const key = `${suite} ${id}`;
    const words = wording.get(id);
    const label = [element("code", {}, id)];
    if (open.has(key) && words !== undefined) label.push(element("small", {}, ...inline(words.text)));
    rows.push(row("requirement", opener(key, ...label), each((run) => countCell(run, own))));
    if (open.has(key)) rows.push(...own.map((one) => caseRow(one, key)));
  }
  return rows;
}

function caseRow(one, key) {
  const head = element("span", { class: "row" }, ...inline(one.title), element("small", {}, element("a", { href: `#${one.id}` }, element("code", {}, one.id))));
  return row("case", head, each((run) => caseCell(run, one, key)));
}

function toggle(key) {
  if (!open.delete(key)) open.add(key);
  draw();
  focusOn(key);
}

function focusOn(key) {
  body.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Tells about one case of one run in a row of its own, or takes that row away again. */
function toggleTold(button, run, one) {
  const isOpen = button.getAttribute("aria-expanded") === "true";
  closeTold();
  if (isOpen) return;
  button.setAttribute("aria-expanded", "true");
  const close = () => { closeTold(); button.focus(); };
  const cell = element("td", { colspan: data.runs.length + 1 }, told(run, one, close));
  button.closest("tr").after(element("tr", { class: "told", onkeydown: (event) => {
    if (event.key === "Escape") close();
  } }, cell));
}

function closeTold() {
  body.querySelector("tr.told")?.remove();
  body.querySelector('td button[aria-expanded="true"]')?.setAttribute("aria-expanded", "false");
}

function told(run, one, close) {
  const found = data.runs[run].told[one.index];
  const evidence = typeof found === "number" ? { what: data.reasons[found] } : found;
  const list = element("dl");
  const field = (name, ...words) => list.append(element("dt", {}, name), element("dd", {}, ...words));
  field("what", ...inline(evidence.what ?? ""));
  if (evidence.because !== undefined) field("known", ...inline(evidence.because));
  for (const [name, words] of evidence.more ?? []) field(name, ...inline(words));
  if (evidence.fingerprint !== undefined) field("known as", element("code", {}, evidence.fingerprint));
  field("why", ...inline(one.why));
  field("spec", element("ul", {}, ...one.requirements.map(requirement)));
  return element("article", { "aria-label": `${runName(run)}, ${one.id}` },
    element("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×"),
    element("h3", {}, `${runName(run)}: ${verdict(run, one)[0]}, `, ...inline(one.title)),
    list,
    one.input !== null ? documentOf("input", one.input, evidence.where) : undefined,
    evidence.where && differences(evidence.where, evidence.whereMore),
    evidence.expected !== undefined ? documentOf("expected", evidence.expected, evidence.where) : undefined,
    evidence.got !== undefined ? documentOf("got", evidence.got, evidence.where) : undefined,
    again(run, one));
}

function requirement(id) {
  const words = wording.get(id);
  return element("li", {}, element("code", {}, id), " ", ...inline(words?.text ?? ""));
}

/** The semantic diff: each place that differs, with what should be there and what is. */
function differences(where, more) {
  const names = ["where", "how", "expected", "got"];
  const side = (text) => (text === null ? "nothing" : element("code", {}, text));
  const rows = where.map(([at, how, expected, got]) => element("tr", {},
    element("td", { "data-name": names[0] }, element("code", {}, at === "" ? "the whole document" : at)),
    element("td", { "data-name": names[1] }, how),
    element("td", { "data-name": names[2], class: "was" }, side(expected)),
    element("td", { "data-name": names[3], class: "is" }, side(got))));
  const heads = names.map((name) => element("th", { scope: "col", class: name === "where" ? "at" : undefined }, name));
  const caption = more ? `The first ${where.length} of ${where.length + more} differences` : "Differences";
  return element("table", { class: "differences" }, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
}

/** A document, closed where the differences tell more. */
function documentOf(name, text, where) {
  return element("details", { open: where === undefined }, element("summary", {}, name), element("pre", {}, indented(text)));
}

/** JSON text on lines of its own. Numbers and escapes stay as they are spelt, so it is not parsed. */
function indented(text) {
  if (!/^\s*[[{]/.test(text)) return text;
  let depth = 0;
  const line = () => `\n${"  ".repeat(Math.max(depth, 0))}`;
  return text.replace(/"(?:[^"\\]|\\.)*"?|[[\]{},:]|\s+/g, (token) => {
    if (/^\s/.test(token)) return token.includes("\n") ? token : "";
    if (token === "[" || token === "{") { depth += 1; return token + line(); }
    if (token === "]" || token === "}") { depth -= 1; return line() + token; }
    if (token === ",") return token + line();
    return token === ":" ? ": " : token;
  }).replace(/\[\s+\]/g, "[]").replace(/\{\s+\}/g, "{}");
}

function again(run, one) {
  const adapter = data.runs[run].adapter;
  const command = `chatstate test --only ${one.id}${adapter ? ` -- ${adapter}` : ""}`;
  const code = element("pre", {}, command);
  const button = element("button", { type: "button", onclick: () => copy(command, code, button) }, "Copy");
  return element("div", { class: "again" }, code, button);
}

async function copy(text, shown, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // A page from disk may not be allowed to write; the text is selected instead.
    getSelection().selectAllChildren(shown);
    button.textContent = "Selected";
  }
}

/** Opens a case by its id, for a link to it. */
function goTo(id) {
  const one = cases.find((it) => it.id === id);
  if (one === undefined) return;
  const requirementKey = `${one.suite} ${one.requirements[0]}`;
  open.add(one.suite).add(requirementKey);
  find.value = "";
  show.value = "all";
  draw();
  const rows = [...body.querySelectorAll("tr.case")];
  const found = rows.find((it) => it.querySelector("code").textContent === id);
  found?.scrollIntoView({ block: "center" });
  found?.querySelector("button")?.focus();
}

/** Opens all rows of the cases that are to be seen. */
function openAll(shown) {
  for (const one of shown) {
    open.add(one.suite);
    for (const id of one.requirements) open.add(`${one.suite} ${id}`);
  }
}

function openFound() {
  closeTold();
  open.clear();
  const shown = cases.filter(isShown);
  // Few enough to be read are shown at once.
  const isSearch = find.value.trim() !== "" || show.value !== "all";
  if (isSearch && shown.length <= 60) openAll(shown);
  draw();
}

function step(event) {
  const rows = [...body.querySelectorAll(".opener")];
  const place = rows.indexOf(event.target);
  if (place < 0) return;
  const key = event.target.dataset.key;
  if (event.key === "ArrowDown") rows[place + 1]?.focus();
  else if (event.key === "ArrowUp") rows[place - 1]?.focus();
  else if (event.key === "ArrowRight" && !open.has(key)) toggle(key);
  else if (event.key === "ArrowLeft" && open.has(key)) toggle(key);
  else if (event.key === "ArrowLeft") focusOn(key.split(" ")[0]);
  else return;
  event.preventDefault();
}

function theme() {
  const button = document.getElementById("theme");
  const names = ["system", "light", "dark"];
  let chosen = 0;
  const set = () => {
    document.documentElement.dataset.theme = names[chosen];
    button.textContent = `Colours: ${names[chosen]}`;
  };
  button.addEventListener("click", () => { chosen = (chosen + 1) % names.length; set(); });
  button.hidden = false;
  set();
}

function begin() {
  const heads = data.runs.map((run) => element("th", { scope: "col" }, run.name));
  table.tHead.append(element("tr", {}, element("th", { scope: "col" }, "suite, requirement, case"), ...heads));
  table.style.setProperty("--runs", data.runs.length);
  table.hidden = false;
  const controls = document.getElementById("controls");
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", openFound);
  show.addEventListener("change", openFound);
  document.getElementById("expand").addEventListener("click", () => { openAll(cases.filter(isShown)); draw(); });
  document.getElementById("collapse").addEventListener("click", () => { open.clear(); closeTold(); draw(); });
  body.addEventListener("keydown", step);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) { find.focus(); event.preventDefault(); }
  });
  addEventListener("hashchange", () => goTo(decodeURIComponent(location.hash.slice(1))));
  theme();
  // A reader comes for what is wrong.
  if (data.runs.some((_, run) => cases.some((one) => verdict(run, one)[1] === "bad"))) {
    show.value = "bad";
    openFound();
  } else draw();
  if (location.hash.includes("/")) goTo(decodeURIComponent(location.hash.slice(1)));
  document.documentElement.dataset.ready = "";
}

begin();
