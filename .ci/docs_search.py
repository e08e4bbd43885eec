"""A hook of MkDocs: search that works where the documentation is opened from disk.

Browsers let a page on disk neither fetch the index nor start a worker, so that both go into one script.
"""

from pathlib import Path

FROM_DISK = """
addEventListener("DOMContentLoaded", () => {
  const query = document.getElementById("mkdocs-search-query");
  const results = document.getElementById("mkdocs-search-results");
  const pages = new Map(searched.docs.map((page) => [page.location, page]));
  let index = null;
  const shown = (found) => {
    const page = pages.get(found.ref), entry = document.createElement("article");
    const heading = entry.appendChild(document.createElement("h3"));
    const link = heading.appendChild(document.createElement("a"));
    link.href = base_url + "/" + page.location;
    link.textContent = page.title;
    entry.appendChild(document.createElement("p")).textContent = page.text.slice(0, 200);
    return entry;
  };
  query.addEventListener("input", () => {
    index ??= lunr(function () {
      this.ref("location");
      this.field("title", { boost: 10 });
      this.field("text");
      searched.docs.forEach((page) => this.add(page));
    });
    const words = query.value.toLowerCase().match(/[\\p{L}\\p{N}_]+/gu) ?? [];
    const found = words.length ? index.query((asked) => words.forEach((word) => {
      asked.term(word, { presence: lunr.Query.presence.REQUIRED, wildcard: lunr.Query.wildcard.TRAILING });
    })) : [];
    results.replaceChildren(...found.map(shown));
    if (words.length && !found.length) results.textContent = results.dataset.noResultsText;
  });
});
"""


def on_post_build(config: dict[str, str]) -> None:
    """Write search/main.js: the library, the index and what asks it."""
    folder = Path(config["site_dir"]) / "search"
    library, index = (
        (folder / name).read_text(encoding="utf-8") for name in ("lunr.js", "search_index.json")
    )
    script = f"{library}\nconst searched = {index};\n{FROM_DISK}"
    (folder / "main.js").write_text(script, encoding="utf-8")
    (folder / "worker.js").unlink()
