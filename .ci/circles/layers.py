"""Places boxes in layers, those that are named below those that name them, and leads the arrows.

The same input gives the same picture: everything is sorted, nothing is drawn by lot."""

from dataclasses import dataclass
from itertools import pairwise

from .graph import circles, order_with_fewest_cuts

GAP_BETWEEN_LAYERS = 34
GAP_BETWEEN_BOXES = 22
LANE = 12  # the width an arrow takes where it passes a layer
STRAIGHTNESS = 6


@dataclass
class Placed:
    """Boxes by their upper left corners; arrows as points from box to box; the whole size."""

    boxes: dict
    arrows: dict
    against: set  # the arrows of circles that point up
    width: float
    height: float


def place(sizes, edges):
    """`sizes` maps each box to width and height, `edges` each box to those it points at."""
    arrows = {(a, b) for a in sizes for b in edges.get(a, ()) if b in sizes and a != b}
    against = _against(sizes, arrows)
    downward = _without_detours(sizes, arrows - against)
    # An arrow against the order is led like its opposite, and drawn the other way round.
    ends = {(a, b): (b, a) if (a, b) in against else (a, b) for a, b in downward | against}
    rows, chains = _rows(sizes, ends)
    rows = _ordered(rows, chains)
    center = _centers(rows, chains, sizes)
    return _drawn(rows, chains, center, sizes, against)


def _against(nodes, arrows):
    """The arrows that close circles, as few as can be."""
    edges = {a: {b for c, b in arrows if c == a} for a in nodes}
    found = set()
    for circle in circles(nodes, edges):
        order = order_with_fewest_cuts(circle, lambda a, b: int((a, b) in arrows))
        found |= {(a, b) for at, a in enumerate(order) for b in order[at + 1:] if (a, b) in arrows}
    return found


def _without_detours(nodes, arrows):
    """The arrows that do not follow from others: what a points at through c needs no arrow of its
    own."""
    below = {}

    def reach(node):
        if node not in below:
            below[node] = set()
            for a, b in arrows:
                if a == node:
                    below[node] |= {b} | reach(b)
        return below[node]

    for node in nodes:
        reach(node)
    return {
        (a, b) for a, b in arrows
        if not any(b in below[c] for d, c in arrows if d == a and c != b)
    }


def _layers(nodes, ends):
    """The ground is 0; each box stands as low as what lies below it lets it."""
    layer = {}

    def height(node):
        if node not in layer:
            lower = [below for above, below in ends.values() if above == node]
            layer[node] = max((height(one) + 1 for one in lower), default=0)
        return layer[node]

    for node in sorted(nodes):
        height(node)
    return layer


def _rows(nodes, ends):
    """The layers from top to bottom, and for each arrow its places, from top to bottom. Where an
    arrow passes a layer, it has a place there: a tuple of its ends and the layer."""
    layer = _layers(nodes, ends)
    rows = [[] for _ in range(max(layer.values()) + 1)]
    for node in sorted(nodes):
        rows[layer[node]].append(node)
    chains = {}
    for arrow, (upper, lower) in sorted(ends.items()):
        passing = [(*arrow, level) for level in range(layer[upper] - 1, layer[lower], -1)]
        for one in passing:
            rows[one[2]].append(one)
        chains[arrow] = [upper, *passing, lower]
    rows.reverse()
    return rows, chains


def _neighbours(rows, chains):
    """For each place those in the row above and in the row below."""
    above, below = {}, {}
    for chain in chains.values():
        for upper, lower in pairwise(chain):
            below.setdefault(upper, []).append(lower)
            above.setdefault(lower, []).append(upper)
    return above, below


def _ordered(rows, chains):
    """Orders each row by the middle of its neighbours, down and up again, and keeps what has the
    fewest crossings."""
    above, below = _neighbours(rows, chains)
    best = [list(row) for row in rows]
    fewest = _crossings(best, below)
    current = [list(row) for row in rows]
    for sweep in range(40):
        downward = sweep % 2 == 0
        neighbours = above if downward else below
        rows_in_turn = range(1, len(rows)) if downward else range(len(rows) - 2, -1, -1)
        for at in rows_in_turn:
            fixed = current[at - 1 if downward else at + 1]
            place_of = {node: place for place, node in enumerate(fixed)}
            keys = {}
            for place, node in enumerate(current[at]):
                beside = [place_of[one] for one in neighbours.get(node, ()) if one in place_of]
                keys[node] = sum(beside) / len(beside) if beside else place
            current[at].sort(key=lambda node: keys[node])
        count = _crossings(current, below)
        if count < fewest:
            best, fewest = [list(row) for row in current], count
    return best


def _crossings(rows, below):
    count = 0
    for upper, lower in pairwise(rows):
        place_of = {node: place for place, node in enumerate(lower)}
        ends = [place_of[one] for node in upper for one in sorted(
            below.get(node, ()), key=lambda one: place_of.get(one, 0)) if one in place_of]
        count += sum(a > b for at, a in enumerate(ends) for b in ends[at + 1:])
    return count


def _centers(rows, chains, sizes):
    """Where the middle of each place lies: near its neighbours, in order, without overlaps."""
    above, below = _neighbours(rows, chains)
    width = {node: sizes[node][0] if node in sizes else LANE for row in rows for node in row}
    # Where arrows pass layers they are to be straight: that counts more than boxes in the middle.
    weight = {node: 1 if node in sizes else STRAIGHTNESS for node in width}
    center = {}
    for row in rows:
        _settle(row, {node: 0 for node in row}, width, weight, center)
    for sweep in range(200):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wished = {}
            for node in row:
                beside = above.get(node, []) + below.get(node, [])
                total = sum(min(weight[node], weight[one]) for one in beside)
                wished[node] = center[node] if not beside else sum(
                    center[one] * min(weight[node], weight[one]) for one in beside) / total
            _settle(row, wished, width, weight, center)
    left = min(center[node] - width[node] / 2 for node in center)
    return {node: center[node] - left for node in center}


def _settle(row, wished, width, weight, center):
    """The places nearest to the wished ones (by squares) that keep order and distance: neighbours
    that would overlap are joined into blocks, each of which stands at its mean."""
    blocks, offset = [], 0
    for at, node in enumerate(row):
        if at > 0:
            before = row[at - 1]
            gap = GAP_BETWEEN_BOXES if isinstance(node, str) or isinstance(before, str) else 0
            offset += (width[before] + width[node]) / 2 + gap
        blocks.append([wished[node] - offset, weight[node], [(node, offset)]])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, count, members = blocks.pop()
            other = blocks[-1]
            other[0] = (other[0] * other[1] + mean * count) / (other[1] + count)
            other[1] += count
            other[2] += members
    for mean, _, members in blocks:
        for node, shift in members:
            center[node] = mean + shift


def _drawn(rows, chains, center, sizes, against):
    boxes, band, y = {}, {}, 0
    for row in rows:
        height = max((sizes[node][1] for node in row if node in sizes), default=0)
        for node in row:
            band[node] = (y, y + height)
            if node in sizes:
                width, own = sizes[node]
                boxes[node] = (center[node] - width / 2, y + (height - own) / 2)
        y += height + GAP_BETWEEN_LAYERS
    ports = _ports(chains, center, sizes)
    arrows = {}
    for arrow, chain in chains.items():
        upper, lower = chain[0], chain[-1]
        start, end = ports[arrow, True], ports[arrow, False]
        points = [(start, boxes[upper][1] + sizes[upper][1]), (start, band[upper][1])]
        for node in chain[1:-1]:
            points += [(center[node], edge) for edge in band[node]]
        points += [(end, band[lower][0]), (end, boxes[lower][1])]
        arrows[arrow] = points[::-1] if arrow in against else points
    width = max(center[node] + (sizes[node][0] if node in sizes else LANE) / 2 for node in center)
    return Placed(boxes, arrows, against, width, y - GAP_BETWEEN_LAYERS)


def _ports(chains, center, sizes):
    """Where arrows leave and reach a box: side by side, in the order of where they lead."""
    at_box = {}
    for arrow, chain in chains.items():
        at_box.setdefault((chain[0], True), []).append((center[chain[1]], arrow))
        at_box.setdefault((chain[-1], False), []).append((center[chain[-2]], arrow))
    ports = {}
    for (node, is_bottom), leading in at_box.items():
        leading.sort()
        step = min(LANE, sizes[node][0] * 0.8 / len(leading))
        for place, (_, arrow) in enumerate(leading):
            ports[arrow, is_bottom] = center[node] + (place - (len(leading) - 1) / 2) * step
    return ports
