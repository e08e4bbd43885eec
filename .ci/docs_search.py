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
  const { TRAILING } = lunr.Query.wildcard;
  // Pages with words that begin as the one asked or, which counts less, as its stem ("releas" of "releases").
  const having = (word) => new Map(index.query((asked) => {
    const stem = lunr.stemmer(new lunr.Token(word)).toString();
    asked.term(word, { boost: 10, usePipeline: false });
    asked.term(word, { boost: 5, usePipeline: false, wildcard: TRAILING });
    if (stem !== word) asked.term(stem, { usePipeline: false, wildcard: TRAILING });
  }).map((hit) => [hit.ref, hit.score]));
  // Pages that have all the words.
  const ranked = ([first, ...others]) => [...(first ?? new Map())]
    .filter(([ref]) => others.every((hits) => hits.has(ref)))
    .map(([ref, score]) => ({ ref, score: others.reduce((sum, hits) => sum + hits.get(ref), score) }))
    .sort((one, other) => other.score - one.score);
  query.addEventListener("input", () => {
    index ??= lunr(function () {
      this.ref("location");
      this.field("title", { boost: 10 });
      this.field("text");
      // Words as they are: of stems and without "how" nothing would begin as what is being typed does.
      this.pipeline.remove(lunr.stemmer);
      this.pipeline.remove(lunr.stopWordFilter);
      searched.docs.forEach((page) => this.add(page));
    });
    const words = query.value.toLowerCase().match(/[\\p{L}\\p{N}_]+/gu) ?? [];
    const found = ranked(words.map(having));
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
