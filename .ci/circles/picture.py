"""The folders of the sources as one SVG: modules as boxes, their folders inside."""

from xml.sax.saxutils import escape

from .layers import place

LETTER = 7.3  # the width of a letter of the monospaced font at 12 pixels, with a little to spare
FOLDER_HEIGHT = 26
TITLE_HEIGHT = 26
INSET = 14
MARGIN = 20
LEGEND = [
    "An arrow leads from a folder to one whose types it names; what stands lower knows nothing of",
    "what stands above it. Arrows that follow from others are left out. Between modules there is",
    "one arrow for all their folders. Made by .ci/check-circles --picture.",
]


def draw(folders, edges):
    """`edges` maps each folder to the folders whose types it names."""
    modules = sorted({_module(folder) for folder in folders})
    inside = {}
    for module in modules:
        own = [folder for folder in folders if _module(folder) == module]
        if own != [module]:
            sizes = {one: (_text_width(_label(one)) + 16, FOLDER_HEIGHT) for one in own}
            inside[module] = place(sizes, edges)
    sizes = {module: _module_size(module, inside.get(module)) for module in modules}
    between = {
        module: {_module(b) for a in folders if _module(a) == module for b in edges[a]} - {module}
        for module in modules
    }
    whole = place(sizes, between)
    return _svg(whole, sizes, inside)


def _module(folder):
    return folder.split("/")[0]


def _label(folder):
    """A folder's name inside its module's box."""
    return folder.split("/", 1)[1] if "/" in folder else "(its own files)"


def _text_width(text):
    return len(text) * LETTER


def _module_size(module, inside):
    title = _text_width(module) + 2 * INSET
    if inside is None:
        return title, TITLE_HEIGHT + 6
    return max(title, inside.width + 2 * INSET), inside.height + TITLE_HEIGHT + 2 * INSET


def _svg(whole, sizes, inside):
    legend_width = max(map(len, LEGEND)) * LETTER
    width = max(whole.width, legend_width) + 2 * MARGIN
    height = whole.height + 2 * MARGIN + 18 * len(LEGEND) + 12
    left = (width - whole.width) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="12">',
        "<title>Which folder of Sources names types of which</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]
    parts += _arrows(whole, left, MARGIN)
    for module, (x, y) in sorted(whole.boxes.items()):
        parts += _module_box(module, x + left, y + MARGIN, sizes[module], inside.get(module))
    y = MARGIN + whole.height + 28
    for line in LEGEND:
        parts.append(f'<text x="{MARGIN}" y="{y:.0f}" fill="#555555">{escape(line)}</text>')
        y += 18
    return "\n".join([*parts, "</svg>", ""])


def _module_box(module, x, y, size, inside):
    width, height = size
    parts = [_box(x, y, width, height, "#eef3fa", "#7a8ca5")]
    baseline = y + (18 if inside else height / 2 + 4)
    parts.append(_text(x + width / 2, baseline, module, ' font-weight="bold"'))
    if inside is None:
        return parts
    left, top = x + (width - inside.width) / 2, y + TITLE_HEIGHT + INSET
    parts += _arrows(inside, left, top)
    for folder, (box_x, box_y) in sorted(inside.boxes.items()):
        box_width = _text_width(_label(folder)) + 16
        parts.append(_box(left + box_x, top + box_y, box_width, FOLDER_HEIGHT, "#ffffff", "#7a8ca5"))
        parts.append(_text(left + box_x + box_width / 2, top + box_y + 17, _label(folder), ""))
    return parts


def _box(x, y, width, height, fill, stroke):
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4"'
        f' fill="{fill}" stroke="{stroke}"/>')


def _text(x, y, text, style):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{style}>{escape(text)}</text>'


def _arrows(placed, left, top):
    parts = []
    for arrow, points in sorted(placed.arrows.items()):
        color = "#c62828" if arrow in placed.against else "#5b6b80"
        points = [(left + x, top + y) for x, y in points]
        parts.append(f'<path d="{_curve(points)}" fill="none" stroke="{color}"/>')
        parts.append(_head(*points[-1], -1 if arrow in placed.against else 1, color))
    return parts


def _curve(points):
    """Straight down inside a layer, and in a soft bend from one layer to the next."""
    x, y = points[0]
    path = [f"M{x:.1f},{y:.1f}"]
    for next_x, next_y in points[1:]:
        if abs(next_x - x) < 0.05:
            path.append(f"L{next_x:.1f},{next_y:.1f}")
        else:
            middle = (y + next_y) / 2
            path.append(
                f"C{x:.1f},{middle:.1f} {next_x:.1f},{middle:.1f} {next_x:.1f},{next_y:.1f}")
        x, y = next_x, next_y
    return " ".join(path)


def _head(x, y, direction, color):
    back = y - 6 * direction
    return (
        f'<path d="M{x:.1f},{y:.1f} L{x - 3:.1f},{back:.1f} L{x + 3:.1f},{back:.1f} Z"'
        f' fill="{color}"/>')
