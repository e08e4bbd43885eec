/* Keys press what is there: without this script everything works by Tab and Enter. */
(() => {
  const kept = "reportgen keys", on = document.getElementById("keys");
  const keep = (value) => { try { localStorage.setItem(kept, value); } catch { /* kept nowhere */ } };
  try { on.checked = localStorage.getItem(kept) !== "off"; } catch { /* as it is */ }
  on.addEventListener("change", () => keep(on.checked ? "on" : "off"));
  const shown = (key) => [...document.querySelectorAll(`[data-key="${key}"]`)].find((each) => each.checkVisibility());
  const heading = () => [...document.querySelectorAll("h1")].find((each) => each.checkVisibility());
  let silent = false, sent = false;
  addEventListener("submit", (event) => { if (!event.defaultPrevented) sent = true; });
  addEventListener("pageshow", () => { sent = false; heading()?.focus(); });
  document.addEventListener("keydown", (event) => {
    const target = event.target, key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !on.checked) return;
    if (target.matches("input:not([type])")) {
      if (key !== "enter" && key !== "escape") return;
      event.preventDefault();
      const hint = target.closest("fieldset").querySelector("[role=status]");
      if (key === "enter" && silent && !target.value.trim()) { hint.textContent = target.dataset.empty; return; }
      hint.textContent = "";
      if (key === "enter" && silent) shown("g").click();
      silent = false;
      return heading()?.focus();
    }
    if (target.matches("select") && !/^[0-9]$/.test(key)) {
      if (key !== "escape" && key !== "enter") return;
      event.preventDefault();
      return heading()?.focus();
    }
    const found = /^[a-z0-9]$/.test(key) && shown(key);
    if (!found) return;
    event.preventDefault();
    if (event.repeat || sent) return;
    const note = shown("n");
    silent = key === "g" && !note.value;
    if (silent) note.focus();
    else if (found.matches("button")) found.click();
    else found.focus();
  });
})();
