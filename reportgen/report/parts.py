"""What would be too heavy for one page, shared out over several."""

from collections.abc import Sequence


def shared_out(weights: Sequence[int], most: int) -> list[slice]:
    """Return stretches of what has these weights, in order, each as long as weighs no more than `most`.

    What is heavier by itself stands alone; of nothing there is one stretch, which is empty.
    """
    starts, carried = [0], 0
    for place, weight in enumerate(weights):
        if carried and carried + weight > most:
            starts.append(place)
            carried = 0
        carried += weight
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(weights)], strict=True)]
