"""Circles of a directed graph, and the cheapest way to cut each."""


def circles(nodes, edges):
    """The strongly connected components with more than one node, each sorted. `edges` maps a node
    to the nodes it points at."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
                on_stack.discard(component[-1])
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(nodes):
        if node not in index:
            visit(node)
    return sorted(found)


def order_with_fewest_cuts(nodes, weight):
    """The nodes from the ground up, such that the arrows that point up weigh least in all.
    `weight(a, b)` is that of the arrow from a to b. Exact up to 14 nodes; beyond, an order that no
    move of a single node makes better."""
    nodes = sorted(nodes)
    weights = [[weight(a, b) if a != b else 0 for b in nodes] for a in nodes]
    order = _exact_order(weights) if len(nodes) <= 14 else _local_order(weights)
    return [nodes[index] for index in order]


def _exact_order(weights):
    """Builds the order from the ground: putting a node on a set costs its arrows to what is not
    yet there."""
    count = len(weights)
    cost = {0: (0, ())}
    for _ in range(count):
        following = {}
        for placed, (price, order) in cost.items():
            for node in range(count):
                if placed >> node & 1:
                    continue
                added = sum(
                    weights[node][other] for other in range(count) if not placed >> other & 1)
                key, value = placed | 1 << node, (price + added, order + (node,))
                if key not in following or value < following[key]:
                    following[key] = value
        cost = following
    return cost[(1 << count) - 1][1]


def _local_order(weights):
    order = sorted(range(len(weights)), key=lambda node: (sum(weights[node]), node))
    improved = True
    while improved:
        improved = False
        for node in range(len(weights)):
            rest = [other for other in order if other != node]
            best = min(
                (_cost(weights, rest[:place] + [node] + rest[place:]), place)
                for place in range(len(order)))
            if best[0] < _cost(weights, order):
                order = rest[:best[1]] + [node] + rest[best[1]:]
                improved = True
    return order


def _cost(weights, order):
    return sum(
        weights[lower][upper] for at, lower in enumerate(order) for upper in order[at + 1:])
