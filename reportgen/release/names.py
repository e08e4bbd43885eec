"""Where things stand in a bundle, from its top."""

from reportgen import exchange

# A version's folder as the site has it, with checksums of its own, standing alone: no link leads out of it.
REPORT = "report/"
PAGE = f"{REPORT}index.html"
RESULTS = f"{REPORT}results.json"
TEXTS = f"{REPORT}texts.json"
COUNTS = f"{REPORT}counts/"
# The campaign in its published form: the top of a bundle is a campaign's folder whose exports are its counts.
CAMPAIGN = "campaign.toml"
GUIDELINES = "guidelines/"
DISTANCES = "distances/"
# Only on request: the campaign as it was declared, with what the figures were computed from.
EXPORTS = "exports/"
# Who and what is called what in the report: kind, name, pseudonym.
PSEUDONYMS = f"{EXPORTS}pseudonyms.csv"
README = "README.md"
PARAGRAPH = "agreement.txt"
METHODS = "methods.md"
CARD = "dataset-card.md"
CITATION = "CITATION.cff"
CROISSANT = "croissant.json"
PACKAGE = "datapackage.json"
CRATE = "ro-crate-metadata.json"
# Of every other file of the bundle, in the order of their names.
CHECKSUMS = exchange.CHECKSUMS
