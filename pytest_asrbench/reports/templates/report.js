// Everything from a clip is set as text, never as markup. Rows are drawn as they are scrolled to.
(() => {
  const PAGE = 100;
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const rows = byId("rows");
  const clips = data.clips;

  // -- small things ----------------------------------------------------------------------------

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }

  // As reports/alignment.py splits: at white space, and around each Chinese or Japanese character.
  const WHOLE = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff";
  const SPACE = " \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const WORD = new RegExp(`[${WHOLE}]|[^${SPACE}${WHOLE}]+`, "gu");

  // Offsets count code points; JavaScript strings count UTF-16 units.
  const points = (text) => Array.from(text);

  const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word)
    ? word : "'" + word.replaceAll("'", "'\"'\"'") + "'";

  function command(label, text) {
    return make("div", {}, make("p", {class: "small soft"}, label),
      make("div", {class: "command"}, make("code", {tabindex: "0"}, shown(text)),
        make("button", {type: "button", "data-copy": ""}, "Copy")));
  }

  const milliseconds = (value) => value === null ? "" :
    value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;

  // -- one clip, opened ------------------------------------------------------------------------

  function highlighted(clip) {
    const text = points(clip.transcript);
    const spans = [];
    for (const entity of clip.entities) {
      const near = entity.present ? entity : entity.nearest;
      if (near && near.start !== null && near.end > near.start) {
        spans.push({start: near.start, end: near.end, good: entity.present, entity});
      }
    }
    spans.sort((a, b) => a.start - b.start || b.end - a.end);
    const parts = [];
    let at = 0;
    for (const span of spans) {
      const start = Math.max(span.start, at);
      if (span.end <= start) continue;
      parts.push(shown(text.slice(at, start).join("")));
      const what = span.good ? "carries" : "nearest to";
      parts.push(make("mark", {class: span.good ? "good" : "bad",
        title: `${span.entity.type}: ${what} ${span.entity.canonical}`},
        shown(text.slice(start, span.end).join(""))));
      at = span.end;
    }
    parts.push(shown(text.slice(at).join("")));
    return make("p", {class: "text", dir: "auto"}, ...parts);
  }

  // Canonical and heard with the differing letters marked; steps are [start, end] pairs of each.
  function marked(text, ranges) {
    const letters = points(text);
    const parts = [];
    let at = 0;
    for (const [start, end] of ranges) {
      parts.push(shown(letters.slice(at, start).join("")));
      if (end > start) parts.push(make("mark", {class: "bad"}, shown(letters.slice(start, end).join(""))));
      at = end;
    }
    parts.push(shown(letters.slice(at).join("")));
    return make("code", {dir: "auto"}, ...parts);
  }

  function entityBox(clip, entity) {
    const state = entity.present === null ? "unjudged" : entity.present ? "present" : "absent";
    const chip = {unjudged: ["error", "not judged"], present: ["recovered", "recovered"],
      absent: ["missed", "missed"]}[state];
    const box = make("div", {class: `entity ${state}`},
      make("strong", {}, entity.type), " ", make("span", {class: `chip ${chip[0]}`}, chip[1]),
      entity.new ? make("span", {class: "chip new"}, "new") : null,
      entity.exempt ? make("span", {class: "chip inconclusive"}, shown(entity.exempt)) : null,
      entity.sure === false ? make("span", {class: "chip"}, "not sure") : null,
      make("span", {class: "small soft"}, ` ${entity.id}`));
    const pair = make("div", {class: "pair"});
    const near = entity.nearest;
    pair.append(make("span", {}, "wanted"),
      near ? marked(entity.canonical, near.wanted) : make("code", {dir: "auto"}, shown(entity.canonical)));
    if (entity.acoustic) pair.append(make("span", {}, "said"), make("code", {dir: "auto"}, shown(entity.acoustic)));
    if (near) {
      pair.append(make("span", {}, "heard"), marked(near.text, near.heard),
        make("span", {}, "difference"), make("span", {}, shown(near.difference)));
    } else if (entity.evidence) {
      pair.append(make("span", {}, "evidence"), make("code", {dir: "auto"}, shown(entity.evidence)));
    }
    if (entity.reason && !(near && near.difference === entity.reason)) pair.append(make("span", {}, "reason"), make("span", {}, shown(entity.reason)));
    box.append(pair);
    if (entity.present !== null && !data.redacted) box.append(command("Dispute this verdict", dispute(clip, entity)));
    return box;
  }

  function dispute(clip, entity) {
    const options = [["type", entity.type], ["canonical", entity.canonical]];
    if (entity.acoustic) options.push(["acoustic", entity.acoustic]);
    for (const form of entity.accept) options.push(["accept", form]);
    if (clip.language !== "en") options.push(["language", clip.language]);
    // With `=`, and after `--`, a text that starts with a dash is still a text.
    const words = options.map(([name, value]) => `--${name}=${quoted(value)}`);
    return ["asrbench explain", ...words, "--", quoted(clip.transcript)].join(" ");
  }

  function alignment(clip) {
    const said = clip.reference.match(WORD) || [];
    const heard = clip.transcript.match(WORD) || [];
    const line = make("div", {class: "words", dir: "auto"});
    const word = (was, is, kind) => line.append(make("span", {class: kind},
      make("span", {}, was === undefined ? "∅" : shown(was)),
      kind === "equal" ? null : make("span", {}, is === undefined ? "∅" : shown(is))));
    let at = 0;
    for (const [kind, a, b, c, d] of clip.alignment) {
      said.slice(at, a).forEach((was) => word(was, was, "equal"));
      for (let i = 0; i < Math.max(b - a, d - c); i++) {
        word(a + i < b ? said[a + i] : undefined, c + i < d ? heard[c + i] : undefined, kind);
      }
      at = b;
    }
    said.slice(at).forEach((was) => word(was, was, "equal"));
    return line;
  }

  function facts(clip) {
    const list = make("dl", {class: "small"});
    for (const [label, value] of clip.facts) list.append(make("dt", {}, label), make("dd", {}, shown(value)));
    return list;
  }

  function detail(clip) {
    const box = make("td", {colspan: "6"});
    if (clip.audio) box.append(make("audio", {controls: "", preload: "none", src: clip.audio,
      "aria-label": `recording of ${clip.id}`}));
    if (clip.error) box.append(make("p", {}, make("span", {class: "chip error"}, clip.error.kind),
      " ", shown(clip.error.message), clip.error.host ? ` (${clip.error.host})` : ""));
    box.append(make("h3", {}, "Reference"), make("p", {class: "text", dir: "auto"}, shown(clip.reference)));
    if (clip.transcript !== null) {
      box.append(make("h3", {}, "Transcript"), clip.transcript === ""
        ? make("p", {class: "soft"}, "empty: the provider heard no speech") : highlighted(clip));
      if (clip.entities.length) box.append(make("h3", {}, "Values"));
      clip.entities.forEach((entity) => box.append(entityBox(clip, entity)));
      if (clip.alignment) box.append(make("h3", {}, "Word alignment"),
        make("p", {class: "small soft"}, "said above, heard below; ∅ where one has no word"), alignment(clip));
    }
    box.append(make("h3", {}, "Provenance"), facts(clip), command("Reproduce", clip.reproduce));
    return make("tr", {class: "detail"}, box);
  }

  // -- the table -------------------------------------------------------------------------------

  function row(clip) {
    const open = make("button", {type: "button", class: "open", "aria-expanded": "false"}, shown(clip.label));
    const node = make("tr", {}, make("td", {}, open),
      make("td", {class: "wide types"}, clip.missedTypes.join(", ")),
      make("td", {class: "num"}, clip.total ? `${clip.hits} of ${clip.total}` : "–"),
      make("td", {class: "num wide"}, clip.words ? `${clip.words[0]} of ${clip.words[1]}` : ""),
      make("td", {class: "num wide"}, milliseconds(clip.latency_ms)),
      make("td", {}, make("span", {class: `chip ${clip.verdict.replace(" ", "-")}`}, clip.verdict),
        clip.new ? make("span", {class: "chip new"}, "new") : null));
    open.addEventListener("click", () => toggle(open, node, clip));
    return node;
  }

  function toggle(open, node, clip) {
    if (open.getAttribute("aria-expanded") === "true") {
      open.setAttribute("aria-expanded", "false");
      node.nextElementSibling.remove();
    } else {
      open.setAttribute("aria-expanded", "true");
      node.after(detail(clip));
    }
  }

  for (const clip of clips) {
    const missed = clip.entities.filter((entity) => entity.present === false);
    clip.missedTypes = [...new Set(missed.map((entity) => entity.type))].sort();
    clip.share = clip.total ? clip.hits / clip.total : 2;
    clip.types = clip.missedTypes.join();
    clip.edits = clip.words ? clip.words[0] : -1;
    clip.label = clip.repeat > 1 ? `${clip.id} #${clip.repeat}` : clip.id;
    clip.text = [clip.id, clip.transcript, clip.reference, ...clip.tags,
      ...clip.entities.flatMap((entity) => [entity.canonical, entity.acoustic,
        entity.nearest && entity.nearest.text])].join("\n").toLowerCase();
  }

  const observer = new IntersectionObserver((seen) => {
    if (seen.some((entry) => entry.isIntersecting) && drawn < view.length) draw();
  }, {rootMargin: "600px"});
  const filters = [];
  let sorting = {key: null, up: true};
  let view = [];
  let drawn = 0;

  function matching() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    return clips.filter((clip) => words.every((word) => clip.text.includes(word)) &&
      filters.every(({select, has}) => select.value === "" || has(clip, select.value)));
  }

  function compare(a, b) {
    const [x, y] = [a[sorting.key], b[sorting.key]];
    const order = typeof x === "string" ? x.localeCompare(y, "en", {numeric: true}) : (x ?? -1) - (y ?? -1);
    return sorting.up ? order : -order;
  }

  function draw() {
    const part = document.createDocumentFragment();
    view.slice(drawn, drawn + PAGE).forEach((clip) => part.append(row(clip)));
    drawn = Math.min(drawn + PAGE, view.length);
    rows.append(part);
    // Looked at afresh: on a tall screen the end may still be in sight.
    observer.unobserve(byId("more"));
    observer.observe(byId("more"));
  }

  function refresh() {
    view = matching();
    if (sorting.key) view.sort(compare);
    rows.replaceChildren();
    drawn = 0;
    draw();
    byId("count").textContent = `${view.length} of ${clips.length} ${data.counted}`;
  }

  function addFilter(name, values, has) {
    if (values.length < 2 && name !== "verdict") return null;
    const select = make("select", {"data-filter": name}, make("option", {value: ""}, "all"),
      ...values.map((value) => make("option", {value}, shown(value))));
    byId("controls").append(make("label", {}, name, select));
    filters.push({select, has});
    select.addEventListener("change", refresh);
    return select;
  }

  const distinct = (list) => [...new Set(list)].sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
  const typeOf = (clip, type) => clip.entities.some((entity) => entity.type === type);
  const typeFilter = addFilter("type", distinct(clips.flatMap((c) => c.entities.map((e) => e.type))), typeOf);
  const verdictFilter = addFilter("verdict", distinct(clips.map((clip) => clip.verdict)
    .concat(clips.some((clip) => clip.new) ? ["new miss"] : [])),
    (clip, verdict) => verdict === "new miss" ? clip.new : clip.verdict === verdict);
  for (const name of distinct(clips.flatMap((clip) => Object.keys(clip.slices)))) {
    const values = distinct(clips.flatMap((clip) => name in clip.slices ? [clip.slices[name]] : []));
    if (values.length <= 200) addFilter(name, values, (clip, value) => clip.slices[name] === value);
  }
  addFilter("tag", distinct(clips.flatMap((clip) => clip.tags)), (clip, tag) => clip.tags.includes(tag));
  const clear = make("button", {type: "button"}, "Clear");
  byId("controls").append(clear);

  // -- events ----------------------------------------------------------------------------------

  function reset() {
    byId("search").value = "";
    filters.forEach(({select}) => { select.value = ""; });
  }

  clear.addEventListener("click", () => { reset(); refresh(); });
  byId("search").addEventListener("input", refresh);
  document.querySelectorAll("th[data-sort]").forEach((head) => head.addEventListener("click", () => {
    sorting = {key: head.dataset.sort, up: sorting.key === head.dataset.sort ? !sorting.up : true};
    document.querySelectorAll("th[data-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sorting.up ? "ascending" : "descending");
    refresh();
  }));
  document.querySelectorAll("[data-type]").forEach((link) => link.addEventListener("click", () => {
    reset();
    if (typeFilter) typeFilter.value = link.dataset.type;
    if (clips.some((clip) => clip.missedTypes.includes(link.dataset.type))) verdictFilter.value = "missed";
    refresh();
  }));

  async function copy(button) {
    const code = button.previousElementSibling;
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch { // no clipboard for a page opened from disk: the command is selected instead
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing) {
      byId("search").focus();
      event.preventDefault();
    }
    if (!event.target.classList.contains("open")) return;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    const all = [...rows.querySelectorAll(".open")];
    const next = all[all.indexOf(event.target) + step];
    if (next) next.focus();
    event.preventDefault();
  });

  byId("controls").hidden = byId("table").hidden = false;
  refresh();

  // On paper nothing can be scrolled to or opened.
  addEventListener("beforeprint", () => {
    while (drawn < view.length) draw();
    document.querySelectorAll("details:not([open])").forEach((box) => {
      box.open = true;
      addEventListener("afterprint", () => { box.open = false; }, {once: true});
    });
  });

  // #clip=refund_03 opens that clip, so that a comment can point at it.
  function openFromAddress() {
    let wanted = (location.hash.match(/^#clip=(.*)$/) || [])[1] || "";
    try {
      wanted = decodeURIComponent(wanted);
    } catch {
      return;  // cut within a character: nothing that can be opened
    }
    const clip = clips.find((candidate) => candidate.id === wanted);
    if (!clip) return;
    reset();
    byId("search").value = clip.id;
    refresh();
    const open = [...rows.querySelectorAll(".open")].find((button) => button.textContent === clip.label);
    if (open) { open.click(); open.focus(); }
  }
  addEventListener("hashchange", openFromAddress);
  openFromAddress();
})();
