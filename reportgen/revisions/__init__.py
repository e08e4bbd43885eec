"""What changed from one guidelines version to another, and is it more than chance?

`sides` prepares a version; `unit_sets`, `spans` and `systems` hold two of them against each other, and
`guidelines` what annotators were told. Each is imported from its own module: who compares documents needs
no numbers.
"""
