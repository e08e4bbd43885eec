"""Offsets as Java and JavaScript count them, for exports that tests write."""


def to_utf16(text: str, offset: int) -> int:
    """Return the UTF-16 offset of a code point."""
    return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
