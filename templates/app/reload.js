
(() => {
  const key = "reportgen " + location.pathname, problems = %(problems)s;
  const parts = () => [...document.querySelectorAll("details")];
  const kept = problems ? null : JSON.parse(sessionStorage.getItem(key));
  if (kept) {
    sessionStorage.removeItem(key);
    parts().forEach((each, place) => { if (place in kept.open) each.open = kept.open[place]; });
    const back = () => scrollTo({left: kept.x, top: kept.y, behavior: "instant"});
    if (!location.hash || performance.getEntriesByType("navigation")[0]?.type === "reload") {
      history.scrollRestoration = "manual";
      document.readyState === "complete" ? back() : addEventListener("load", back);
    }
  }
  const where = "%(events)s?page=" + encodeURIComponent(location.pathname) + "&seen=%(seen)s";
  let told = null;
  const end = () => { told?.close(); told = null; };
  const changed = () => {
    end();
    if (!problems) {
      const open = parts().map((each) => each.open);
      sessionStorage.setItem(key, JSON.stringify({x: scrollX, y: scrollY, open}));
    }
    location.reload();
  };
  const listen = () => {
    if (document.hidden) return end();
    told ??= new EventSource(where);
    told.onmessage = changed;
  };
  document.addEventListener("visibilitychange", listen);
  listen();
})();
