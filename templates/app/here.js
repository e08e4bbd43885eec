/* Says that this tab is there, and when it is closed: the program ends with the last one. */
(() => {
  const tab = crypto.randomUUID(), tell = (what) => navigator.sendBeacon(`%(path)s${what}?tab=${tab}`);
  const here = () => tell("here");
  here();
  setInterval(here, 20000);
  addEventListener("pageshow", here);
  addEventListener("pagehide", () => tell("gone"));
})();
