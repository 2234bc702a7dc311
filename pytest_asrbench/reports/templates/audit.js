// Everything from a sheet is set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const HUMAN = data.columns.indexOf("human");
  const NOTE = data.columns.indexOf("note");
  const rows = data.rows;
  // Two sheets opened in one browser must not share answers.
  const store = "asrbench audit " + data.name + " " + rows.map((row) => row.cells[0]).join("\n");
  let answers = {};
  let at = 0;

  try { answers = JSON.parse(localStorage.getItem(store)) || {}; } catch { /* a private window */ }

  function keep() {
    try { localStorage.setItem(store, JSON.stringify(answers)); } catch { /* kept in memory only */ }
  }

  const answerOf = (row) => answers[row.cells[0]] || {human: "", note: ""};

  function marked(row, open) {
    // Offsets count code points; JavaScript strings count UTF-16 units.
    const letters = Array.from(row.transcript);
    const text = (start, end) => shown(letters.slice(start, end).join(""));
    if (!open || !row.span) return [text(0, letters.length)];
    const mark = document.createElement("mark");
    mark.className = row.present ? "good" : "bad";
    mark.textContent = text(row.span[0], row.span[1]);
    return [text(0, row.span[0]), mark, text(row.span[1], letters.length)];
  }

  function player(row) {
    if (!data.audio[row.audio]) return [];
    const audio = document.createElement("audio");
    audio.controls = true;
    audio.preload = "none";
    audio.src = data.audio[row.audio];
    return [audio];
  }

  function draw(open = false) {
    const row = rows[at];
    const answer = answerOf(row);
    byId("row").hidden = false;
    byId("id").textContent = row.cells[0];
    byId("type").textContent = row.type;
    byId("canonical").textContent = shown(row.canonical);
    const forms = [row.acoustic ? "said: " + row.acoustic : "", ...row.accept.map((f) => "also counts: " + f)];
    byId("spoken").textContent = shown(forms.filter(Boolean).join("; "));
    byId("transcript").replaceChildren(...marked(row, open));
    byId("player").replaceChildren(...player(row));
    byId("note").value = answer.note;
    byId("verdict").hidden = !open;
    byId("verdict").textContent = shown((row.present ? "present: " : "absent: ") + row.reason);
    for (const button of document.querySelectorAll("[data-answer]")) {
      button.setAttribute("aria-pressed", String(button.dataset.answer === answer.human));
    }
    progress();
  }

  function progress() {
    const done = rows.filter((row) => answerOf(row).human).length;
    byId("progress").textContent = `row ${at + 1} of ${rows.length}, ${done} checked`;
  }

  function note() {
    const row = rows[at];
    answers[row.cells[0]] = {...answerOf(row), note: byId("note").value};
    keep();
  }

  function answer(human) {
    note();
    answers[rows[at].cells[0]].human = human;
    keep();
    at === rows.length - 1 ? draw() : move(1);
  }

  function move(step) {
    note();
    at = Math.min(Math.max(at + step, 0), rows.length - 1);
    draw();
  }

  const quoted = (cell) => /[",\r\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  // A spreadsheet takes such a cell for a formula; the sheet's reader takes the apostrophe away.
  const guarded = (cell) => /^[=+\-@\t\r']/.test(cell) ? "'" + cell : cell;

  function sheet() {
    const lines = rows.map((row) => {
      const cells = [...row.cells];
      const given = answerOf(row);
      cells[HUMAN] = given.human;
      cells[NOTE] = guarded(given.note);
      return cells.map(quoted).join(",");
    });
    return [data.columns.join(","), ...lines].join("\n") + "\n";
  }

  function save() {
    note();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([sheet()], {type: "text/csv"}));
    link.download = data.name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const toggle = () => draw(byId("verdict").hidden);

  function play() {
    const audio = document.querySelector("audio");
    if (audio) audio.paused ? audio.play() : audio.pause();
  }

  const keys = {
    p: () => answer("present"), a: () => answer("absent"), u: () => answer("unsure"),
    ArrowRight: () => move(1), ArrowLeft: () => move(-1), v: toggle, s: save, " ": play,
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, audio") || (event.key === " " && event.target.matches("button"));
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.answer) answer(button.dataset.answer);
    else if (button.dataset.move) move(Number(button.dataset.move));
    else if (button.id === "show") toggle();
    else if (button.id === "save") save();
  });
  byId("note").addEventListener("change", () => { note(); progress(); });
  window.asrbenchSheet = sheet;  // what a browser test reads, and a console can copy
  if (rows.length) draw();
})();
