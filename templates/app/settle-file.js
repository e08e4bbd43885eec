/* The screen as a file: decides and keeps in the browser, and saves the sheet as reportgen writes it. */
(() => {
  const main = document.querySelector("main"), text = main.dataset, end = document.getElementById("end");
  const articles = [...document.querySelectorAll("article[data-key-of]")];
  const by = new Map(articles.map((each) => [each.dataset.keyOf, each]));
  const state = { said: {}, order: [], later: [], done: [], at: null };
  const status = document.querySelector("[role=status]");
  const tell = (words) => { status.textContent = words; status.hidden = !words; };
  const fill = (words, values) => words.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  try {
    const kept = JSON.parse(localStorage.getItem(text.kept)) ?? {};
    state.order = (kept.order ?? []).filter((key) => by.has(key));
    state.order.forEach((key) => { state.said[key] = kept.said[key]; });
  } catch { /* begins anew */ }
  const asked = (key) => JSON.parse(by.get(key).dataset.asked);
  const unit = (key) => by.get(key).querySelector("h1").textContent;
  const cause = (name) => [...main.querySelector("select[name=cause]").options].find((each) => each.value === name)?.textContent ?? name;
  const words = (said) => [said.words, said.cause && cause(said.cause), said.note].filter(Boolean).join(", ");
  const keep = () => {
    try { localStorage.setItem(text.kept, JSON.stringify({ said: state.said, order: state.order })); } catch { tell(text.lost); }
  };
  const show = (key) => {
    const open = articles.map((each) => each.dataset.keyOf).filter((each) => !(each in state.said));
    const now = open.filter((each) => !state.later.includes(each));
    state.at = key ?? now[0] ?? state.later.find((each) => open.includes(each)) ?? null;
    articles.forEach((each) => { each.hidden = each.dataset.keyOf !== state.at; });
    end.hidden = state.at !== null;
    main.querySelector("[value=later]").hidden = state.at === null;
    main.querySelector("[value=undo]").hidden = !(state.order.length || state.done.length);
    const settled = articles.length - open.length;
    document.querySelector("progress").value = settled;
    document.getElementById("progress").textContent = fill(text.progress, { settled, all: articles.length });
    const list = main.querySelector(".done");
    list.replaceChildren(...state.order.slice(-50).reverse().map((each) => {
      const item = document.createElement("li"), again = document.createElement("button");
      again.type = "button";
      again.textContent = unit(each);
      again.addEventListener("click", () => show(each));
      item.append(again, ` ${words(state.said[each])}`);
      return item;
    }));
    (by.get(state.at) ?? end).querySelector("h1").focus();
    scrollTo(0, 0);
  };
  const settle = (key, said, undone) => {
    if (!undone) state.done.push([key, state.said[key]]);
    state.order = state.order.filter((each) => each !== key);
    state.later = state.later.filter((each) => each !== key);
    delete state.said[key];
    if (said) { state.said[key] = said; state.order.push(key); }
    tell(said ? fill(text.said, { unit: unit(key), answer: words(said) }) : fill(text.opened, { unit: unit(key) }));
    keep();
    show(said ? null : key);
  };
  /* A cell as spreadsheets may have it: none takes it for a formula. */
  const safe = (cell) => /^(?:['\s]*[=+\-@]|'*[\t\r\n])/.test(cell) && !/^-[0-9]+(?:\.[0-9]+)?$/.test(cell) ? `'${cell}` : cell;
  const quoted = (cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const line = (cells) => `${cells.map((cell) => quoted(safe(cell))).join(",")}\n`;
  const save = () => {
    const rows = state.order.flatMap((key) => {
      const said = state.said[key];
      return asked(key).rows.map((row, place) => [...row.slice(0, -2), said.decisions[place], said.cause, said.note]);
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.parse(text.head), ...rows].map(line), { type: "text/csv" }));
    link.download = text.file;
    link.click();
  };
  const answer = (form, button) => {
    const { rows, options, both } = asked(state.at);
    const said = { cause: form.elements.cause.value, note: form.elements.note.value.replace(/\s+/g, " ").trim() };
    const option = options[button.name === "label" ? button.value : form.elements.other?.value];
    if (button.name === "label" || button.value === "other") return option && { ...option, ...said };
    if (button.value === "silent") return { decisions: rows.map(() => ""), words: "", cause: text.silent, note: said.note };
    return { ...both, cause: said.cause || both.cause, note: said.note || both.note };
  };
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button.value === "save") return save();
    if (button.value === "undo") {
      const [key, before] = state.done.pop() ?? [state.order.at(-1)];
      return key && settle(key, before, true);
    }
    if (button.value === "later") { state.later = [...state.later.filter((each) => each !== state.at), state.at]; tell(""); return show(); }
    const said = answer(event.target, button);
    if (said) settle(state.at, said);
  });
  show();
})();
