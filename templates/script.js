"use strict";
/* What helps and is never needed: sorting, filtering, finding, copying, explanations without a pointer.
   Whatever it says stands in data attributes of <body>, in the language of the page. It makes elements and
   sets their text; nothing is ever read as HTML. `reportgen/report/page.py` takes the blanks out: strings stand
   in double quotes or backticks, and no quote sign in a regular expression; of a class "number" it leaves "n".
   What stands below ONLY WHERE is on pages alone that hold the text behind it. Rules of the style sheet for what it
   makes are on a page where it says so as text: make("a", className: "anchor", id: "tip". */
(() => {
  const said = document.body.dataset;
  const all = (which, where = document) => [...where.querySelectorAll(which)];
  const make = (tag, text = "", more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);
  const button = (text, act) => {
    const made = make("button", text, { type: "button" });
    made.addEventListener("click", act);
    return made;
  };
  const shown = (cell) => cell.textContent.replace(/[\t\n ]+/g, " ").trim();
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const unfold = (found) => {
    for (let up = found; up; up = up.parentElement) if (up.matches("details")) up.open = true;
  };

  /* What happened, for those who see and those who hear the page. */
  const news = document.body.appendChild(make("p", "", { className: "said", role: "status" }));
  let clearing;
  const tell = (text) => {
    clearTimeout(clearing);
    news.textContent = text;
    clearing = setTimeout(() => { news.textContent = ""; }, 4000);
  };

  /* Copying; where a browser has no clipboard for pages from disk, by selecting. */
  const selected = (text) => {
    const back = document.activeElement;
    const box = document.body.appendChild(make("textarea", text, { className: "skip" }));
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    back.focus();
    return done;
  };
  const copy = async (text) => {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      done = selected(text);
    }
    tell(done ? said.copied : said.failed);
  };

  const pressed = [];
  /* ONLY WHERE id="table- */
  /* Tables as others read them: what is shown, as it is sorted and filtered. */
  const cells = (row) => [...row.cells].flatMap((cell) => [shown(cell), ...Array(cell.colSpan - 1).fill("")]);
  const rows = (table) => [...table.rows].filter((row) => !row.hidden);
  const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "<": "$<$", ">": "$>$", "|": "$|$", "\u00a0": "~", "\u202f": "\\," };
  const tex = (text) => text.replace(/[\\~^−<>|&%$#_{}\u00a0\u202f]/g, (sign) => TEX[sign] ?? `\\${sign}`).replace(/^(?=[[*])/, "{}");
  const FORMS = {
    CSV: (table) => rows(table).map((row) => cells(row)
      .map((text) => (/[\x22,]/.test(text) ? `"${text.replaceAll("\x22", "\x22\x22")}"` : text)).join(",").replace(/[\u00a0\u202f]/g, " ") + "\n").join(""),
    Markdown: (table) => {
      const lines = rows(table).map((row) => `| ${cells(row).map((text) => text.replace(/[\\|\x60*_<[]/g, "\\$&")).join(" | ")} |\n`);
      const rule = cells(table.rows[0]).map((_, at) => (isNumber(table, at) ? "--:" : ":--"));
      lines.splice(1, 0, `| ${rule.join(" | ")} |\n`);
      return lines.join("");
    },
    LaTeX: (table) => {
      const lines = rows(table).map((row) => `${cells(row).map(tex).join(" & ")} \\\\\n`);
      if (table.matches(".margins, .sum")) lines.splice(-1, 0, "\\midrule\n");
      lines.splice(1, 0, "\\midrule\n");
      const columns = cells(table.rows[0]).map((_, at) => (isNumber(table, at) ? "r" : "l")).join("");
      return `% \\usepackage{booktabs}\n\\begin{tabular}{${columns}}\n\\toprule\n${lines.join("")}\\bottomrule\n\\end{tabular}\n`;
    },
  };
  function copies(table) {
    const menu = make("details", "", { className: "tools" });
    menu.append(make("summary", said.copy), ...Object.entries(FORMS).map(([name, form]) => button(name, () => copy(form(table)))));
    menu.firstChild.setAttribute("aria-label", `${said.copy}: ${table.caption ? shown(table.caption) : table.parentNode.getAttribute("aria-label") ?? ""}`);
    table.after(menu);
  }
  /* EVERYWHERE */

  /* ONLY WHERE <table */
  /* Sorting: up, down, and as it was. Margins stay last, figures without a value behind all others. */
  const isNumber = (table, at) => table.tHead.rows[0].cells[at]?.classList.contains("n");
  const number = (text) => {
    const [digits] = /[-−]?\d[\d.,\u00a0\u202f]*/.exec(text) ?? [""];
    return parseFloat([...digits.replace("−", "-")].filter((sign) => /[-\d]/.test(sign) || sign === said.decimal).join("").replace(said.decimal, "."));
  };
  const words = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const ordered = (table, at, way) => {
    const keys = table.sortable.map((row) => [row, isNumber(table, at) ? number(shown(row.cells[at])) : shown(row.cells[at])]);
    const missing = (key) => key === "" || key === "–" || Number.isNaN(key);
    const compare = (a, b) => (isNumber(table, at) ? a - b : words.compare(a, b));
    return keys.sort(([, a], [, b]) => missing(a) - missing(b) || (missing(a) ? 0 : way * compare(a, b))).map(([row]) => row);
  };
  const sorts = (table) => {
    const body = table.tBodies[0];
    table.sortable = [...body.rows].slice(0, table.matches(".margins, .sum") ? -1 : undefined);
    const last = body.rows[table.sortable.length] ?? null;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const text = button("", () => {
        const next = { ascending: "descending", descending: "" }[head.ariaSort] ?? "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next);
        const found = next ? ordered(table, at, next === "ascending" ? 1 : -1) : table.sortable;
        found.forEach((row) => body.insertBefore(row, last));
      });
      text.append(...head.childNodes);
      head.append(text);
      pressed.push([head, text]);
    });
  };

  /* Filtering the rows of one table, or of all on a page that is nothing but rows. */
  const filters = (tables, place) => {
    const box = make("input", "", { type: "search", placeholder: said.filter, ariaLabel: said.filter });
    const count = make("output");
    box.addEventListener("input", () => {
      const wanted = plain(box.value).split(/\s+/);
      let [kept, known] = [0, 0];
      for (const table of tables) {
        let here = 0;
        for (const row of table.sortable ?? table.tBodies[0].rows) {
          row.hidden = !wanted.every((word) => plain(row.textContent).includes(word));
          here += !row.hidden;
          known += 1;
        }
        kept += here;
        if (tables.length > 1) (table.closest("section") ?? table).hidden = !here;
      }
      count.value = box.value ? said.rows.replace("{shown}", kept).replace("{all}", known) : "";
    });
    const bar = make("p", "", { className: "filter" });
    bar.append(box, count);
    place(bar);
  };

  const tables = all("main table").filter((table) => table.tHead && table.tBodies.length === 1);
  const even = (table) => !table.querySelector("[colspan], [rowspan], thead :is(a, button)") && table.tHead.rows.length === 1;
  for (const table of tables) {
    if (table.tBodies[0].rows.length > 2 && even(table)) sorts(table);
    if (table.id) copies(table);
  }
  const lists = document.querySelector("table.pairs") ? [] : all("main.list table");
  if (document.querySelector("main.wide") && lists.length > 1) filters(lists, (bar) => document.querySelector("main").prepend(bar));
  else for (const table of tables) if (table.tBodies[0].rows.length > 13) filters([table], (bar) => table.before(bar));
  /* EVERYWHERE */

  const contents = document.querySelector("nav.sections");
  /* Where a reader is: the contents say which section is on the screen. */
  const links = new Map(contents ? all("a[href^='#']", contents).map((link) => [link.hash.slice(1), link]) : []);
  if (contents) {
    const heads = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const here = () => {
      const passed = heads.filter((head) => head.getBoundingClientRect().top < innerHeight / 3);
      const now = links.get((passed.at(-1) ?? heads[0])?.id);
      for (const link of links.values()) {
        if (link === now) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      menu.textContent = (now ?? contents.querySelector("[aria-current]"))?.textContent ?? contents.getAttribute("aria-label");
    };
    /* On a narrow screen the contents are a menu, named after where one is. */
    const open = (is) => {
      contents.toggleAttribute("data-open", is);
      menu.ariaExpanded = is;
    };
    const menu = Object.assign(button("", () => open(menu.ariaExpanded === "false")), { className: "menu" });
    contents.toggleAttribute("data-menu", true);
    contents.querySelector("ol").before(menu);
    contents.addEventListener("click", ({ target }) => { if (target.closest("a")) open(false); });
    contents.addEventListener("keydown", ({ key }) => { if (key === "Escape") open(false); });
    open(false);
    addEventListener("scroll", here, { passive: true });
    here();
  }

  /* ONLY WHERE class="body" or class="list" */
  /* Finding words: every place is marked, what is folded there opens, and the address keeps what is looked for.
     A browser that can't mark places selects the one that is looked at. */
  const main = document.querySelector("main");
  const BLOCKS = "p, li, td, th, dt, dd, h1, h2, h3, h4, caption, figcaption, summary, label, pre, div, section, main";
  const ASIDE = "svg, script, output, [hidden], .tools, .filter, .anchor";
  const letters = (data) => (/[^\n\x20-\x7e]/.test(data) ? folded(data) : [...data.toLowerCase()]);
  const folded = (data) => [...data].flatMap((sign) => [plain(sign), ...Array(sign.length - 1).fill("")]);
  /* The letters of each block, blanks as one, and where each of them is: words go on over <b> and <a>. */
  const read = () => {
    const found = new Map();
    const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const up = node.parentElement;
      const block = up.closest(BLOCKS);
      if (up.closest(ASIDE) || !(up.checkVisibility() || up.closest("details:not([open])"))) continue;
      if (!found.has(block)) found.set(block, { text: "", places: [] });
      const own = found.get(block);
      letters(node.data).forEach((sign, at) => {
        for (const each of sign) {
          const blank = /\s/.test(each);
          if (blank && own.text.endsWith(" ")) continue;
          own.text += blank ? " " : each;
          own.places.push(...Array(each.length).fill([node, at]));
        }
      });
    }
    return [...found.values()];
  };
  const search = (wanted) => {
    const found = [];
    for (const { text, places } of read()) {
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const [[first, start], [last, end]] = [places[at], places[at + wanted.length - 1]];
        const range = document.createRange();
        range.setStart(first, start);
        range.setEnd(last, end + 1);
        found.push(range);
      }
    }
    return found;
  };
  const mark = (name, ranges) => {
    if (!CSS.highlights) return;
    const marked = new Highlight();
    for (const each of ranges) marked.add(each);
    CSS.highlights.set(name, marked);
  };
  const asked = () => new URLSearchParams(location.search).get("find") ?? "";
  const finder = (place) => {
    const box = make("input", "", { type: "search", placeholder: said.find, ariaLabel: said.find });
    const count = make("span", "", { className: "hits", role: "status" });
    const bar = make("p", "", { className: "find" });
    let [ranges, at] = [[], -1];
    const go = (step) => {
      if (!ranges.length) return;
      at = (at + step + ranges.length) % ranges.length;
      const range = ranges[at];
      const up = range.startContainer.parentElement;
      unfold(up);
      mark("here", [range]);
      if (!CSS.highlights) getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
      up.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { top } = range.getBoundingClientRect();
      if (top < 60 || top > innerHeight - 60) scrollBy(0, top - innerHeight / 3);
      count.textContent = said.place.replace("{here}", at + 1).replace("{all}", ranges.length);
    };
    const look = () => {
      const wanted = plain(box.value.trim()).replace(/\s+/g, " ");
      [ranges, at] = [wanted ? search(wanted) : [], -1];
      mark("found", ranges);
      mark("here", []);
      for (const each of buttons) each.hidden = !ranges.length;
      count.textContent = wanted && !ranges.length ? said.nothing : "";
      for (const [id, link] of links) {
        const here = document.getElementById(id);
        const times = ranges.filter(({ startContainer }) => here?.contains(startContainer)).length;
        if (times) link.dataset.hits = times;
        else delete link.dataset.hits;
      }
      go(1);
    };
    /* One entry of the history for each search: going back leads to the page as it was before. */
    const keep = () => {
      const address = new URL(location.href);
      if (box.value.trim()) address.searchParams.set("find", box.value.trim());
      else address.searchParams.delete("find");
      if (address.href === location.href) return;
      try {
        history[asked() ? "replaceState" : "pushState"](null, "", address.href);
      } catch {
        /* A browser that lets pages from disk keep their address finds all the same. */
      }
    };
    let waiting;
    box.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { look(); keep(); }, 150);
    });
    bar.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === box) go(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && box.value) {
        const block = ranges[at]?.startContainer.parentElement.closest(BLOCKS);
        box.value = "";
        look();
        keep();
        if (block) Object.assign(block, { tabIndex: -1 }).focus({ preventScroll: true });
      } else return;
      event.preventDefault();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea")) return;
      event.preventDefault();
      box.select();
    });
    addEventListener("popstate", () => {
      if (asked() === box.value.trim()) return;
      box.value = asked();
      look();
    });
    const buttons = [["\u2191", said.before, -1], ["\u2193", said.after, 1]].map(([sign, name, step]) => {
      const made = button(sign, () => go(step));
      return Object.assign(made, { title: name, ariaLabel: name, hidden: true });
    });
    bar.append(box, ...buttons, count);
    place(bar);
    if (asked()) {
      box.value = asked();
      look();
    }
  };

  if (main && contents && !document.querySelector("main > .filter")) finder((bar) => contents.firstElementChild.append(bar));
  /* EVERYWHERE */

  /* What has nothing to scroll is no stop on the way through a page. */
  const sizes = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const box of all(".scroll[tabindex]")) sizes.observe(box);

  /* ONLY WHERE role="group" */
  /* Bars that lead to documents are one stop, and arrows go from one to the next. */
  for (const group of all("svg[role=group]")) {
    const links = all("a", group);
    links.forEach((link, at) => {
      link.setAttribute("tabindex", at ? -1 : 0);
      link.addEventListener("keydown", (event) => {
        const next = links[at + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN)];
        if (!next) return;
        link.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
        event.preventDefault();
      });
    });
  }

  /* EVERYWHERE */
  /* What is folded opens where a link leads to it. */
  addEventListener("hashchange", () => {
    const found = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    unfold(found);
    if (found?.id === "limits") for (const each of all("details", found)) each.open = true;
  });

  /* The address of a section, and what stands in a box of code. */
  for (const head of all("main :is(h2, h3):not(.part, summary *)")) {
    const section = head.closest("section[id]");
    const id = head.closest("section")?.querySelector("h2, h3") === head ? section?.id || head.id : head.id;
    if (id) {
      const link = make("a", "", { className: "anchor", href: `#${id}`, ariaLabel: said.link });
      link.addEventListener("click", () => copy(link.href.replace(/\?[^#]*/, "")));
      head.after(link);
    }
  }
  /* ONLY WHERE <pre */
  for (const box of all("main pre")) {
    const bar = make("p", "", { className: "tools" });
    bar.append(button(said.copy, () => copy(box.textContent)));
    box.after(bar);
  }
  /* EVERYWHERE */

  /* Explanations, for a pointer, a keyboard and a finger: what stands in `title` without scripts. */
  const tip = document.body.appendChild(make("div", "", { className: "tip", id: "tip", role: "tooltip", hidden: true }));
  let about = null;
  const hide = () => {
    tip.hidden = true;
    about?.removeAttribute("aria-describedby");
    about = null;
  };
  const explain = ({ target }) => {
    const found = target.closest?.("[data-why]");
    if (!found) {
      if (target !== tip) hide();
      return;
    }
    if (found === about) return;
    hide();
    about = found;
    tip.textContent = found.dataset.why;
    tip.hidden = false;
    found.setAttribute("aria-describedby", "tip");
    const place = found.getBoundingClientRect();
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(place.left, most))}px`;
    tip.style.top = `${place.bottom + scrollY + 4}px`;
  };
  for (const each of all("main [title], header [title]")) {
    each.dataset.why = each.title;
    each.removeAttribute("title");
  }
  for (const each of all("[data-why]")) if (each.tabIndex < 0) each.tabIndex = 0;
  for (const event of ["mouseover", "focusin", "click"]) document.addEventListener(event, explain);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  /* What is folded is printed too; and where a table goes on overleaf, browsers repeat its heads, not buttons. */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("main details:not([open]):not(.tools)");
    for (const each of opened) each.open = true;
    for (const [head, text] of pressed) head.replaceChildren(...text.childNodes);
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
    for (const [head, text] of pressed) {
      text.append(...head.childNodes);
      head.append(text);
    }
  });

  /* ONLY WHERE id="show- */
  /* A link to a place of one layer shows that layer. */
  const shows = () => {
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const [, layer] = /^(?:u|layer)-([0-9]+)/.exec(there?.id ?? "") ?? [];
    const choice = layer && document.getElementById(`show-${layer}`);
    if (!choice) return;
    choice.checked = true;
    there.scrollIntoView();
  };
  addEventListener("hashchange", shows);
  shows();
  /* EVERYWHERE */
})();
