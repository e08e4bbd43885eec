/* Everything works without this: it only spares clicks. */
(() => {
  const drop = document.querySelector("[data-drop]");
  if (drop) {
    const [files, folder] = drop.querySelectorAll("input[type=file]"), status = drop.querySelector("[role=status]");
    const fits = (all) => { const ok = all.every((file) => file.size <= drop.dataset.most * 1048576); status.textContent = ok ? "" : drop.dataset.large; return ok; };
    const send = () => { if (!fits([...files.files, ...folder.files])) return; status.textContent = drop.dataset.uploading; drop.requestSubmit(); };
    drop.querySelector(".hint").hidden = false;
    for (const input of [files, folder]) input.addEventListener("change", () => { if (input.files.length) send(); });
    addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("over"); });
    const inside = (entry, above, found) => new Promise((done) => {
      if (entry.isFile) return entry.file((file) => { found.push([file, above + file.name]); done(); }, done);
      const reader = entry.createReader(), all = [];
      const more = () => reader.readEntries((part) => {
        all.push(...part);
        if (part.length) more(); else Promise.all(all.map((each) => inside(each, `${above}${entry.name}/`, found))).then(done);
      }, done);
      more();
    });
    addEventListener("drop", async (event) => {
      event.preventDefault();
      document.body.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      if (!entries.some((entry) => entry.isDirectory)) { files.files = event.dataTransfer.files; return send(); }
      const found = [], form = new FormData(drop);
      form.delete("files"); form.delete("folder");
      await Promise.all(entries.map((entry) => inside(entry, "", found)));
      found.forEach(([file, name]) => form.append("files", file, name));
      if (!fits(found.map(([file]) => file))) return;
      status.textContent = drop.dataset.uploading;
      const answer = await fetch(drop.action, { method: "POST", body: form });
      if (answer.redirected) location.assign(answer.url); else { document.open(); document.write(await answer.text()); document.close(); }
    });
  }
  const reading = document.querySelector("[data-reading]"), kept = "reportgen focus";
  if (reading) {
    const apply = document.getElementById("apply");
    reading.addEventListener("change", (event) => {
      if (!event.target.matches("select, input[type=checkbox], input[type=radio]")) return;
      sessionStorage.setItem(kept, JSON.stringify([event.target.name, event.target.value, scrollY]));
      reading.requestSubmit(apply);
    });
    const [name, value, y] = JSON.parse(sessionStorage.getItem(kept) ?? "[]");
    sessionStorage.removeItem(kept);
    const fields = [...reading.elements].filter((each) => each.name === name);
    const figure = document.querySelector(".answer[role=status]");
    if (name && figure) {
      // Read out what a change gave: a region that is there from the start is not.
      const said = Object.assign(document.createElement("p"), { className: "first" });
      said.setAttribute("role", "status");
      reading.append(said);
      setTimeout(() => { said.textContent = figure.innerText; }, 300);
    }
    if (fields.length) { (fields.find((each) => each.type === "radio" && each.value === value) ?? fields[0]).focus({ preventScroll: true }); scrollTo(0, y); }
    if (location.hash) document.getElementById(location.hash.slice(1))?.focus();
    for (const order of reading.querySelectorAll("[data-order]")) {
      const list = order.querySelector("ol"), first = [...list.children], shown = document.getElementsByName(`order-${order.dataset.order}`)[0];
      let dragged;
      order.querySelector("[data-hint]").hidden = false;
      for (const item of first) item.draggable = true;
      list.addEventListener("dragstart", (event) => { dragged = event.target.closest("li"); event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", dragged.dataset.name); });
      list.addEventListener("dragover", (event) => {
        const over = event.target.closest("li");
        if (!dragged) return;
        event.preventDefault();
        event.stopPropagation();
        if (!over || over === dragged) return;
        const box = over.getBoundingClientRect();
        list.insertBefore(dragged, event.clientY < box.top + box.height / 2 ? over : over.nextSibling);
      });
      list.addEventListener("drop", (event) => { event.preventDefault(); event.stopPropagation(); });
      list.addEventListener("dragend", (event) => {
        dragged = undefined;
        if (event.dataTransfer.dropEffect === "none") return list.append(...first);
        const now = [...list.children];
        if (now.every((each, place) => each === first[place])) return;
        shown.value = now.map((each) => each.dataset.name).join("\n");
        reading.requestSubmit(order.querySelector("button[hidden]"));
      });
    }
  }
  for (const button of document.querySelectorAll("[data-rich]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const from = document.getElementById(button.dataset.rich), type = (kind, text) => ({ [kind]: new Blob([text], { type: kind }) });
      const item = new ClipboardItem({ ...type("text/html", from.innerHTML), ...type("text/plain", from.innerText) });
      await navigator.clipboard.write([item]);
      button.nextElementSibling.textContent = button.dataset.done;
    });
  }
})();
