"""Formats of graph programs and of chemistry: graph6, sparse6, GraphML, DOT, GML, GEXF, Pajek, node-link JSON, molfiles."""

from __future__ import annotations

import contextlib
import functools
import io
import json
from random import Random
from typing import Any

import networkx as nx

from .drawn import Case, drawn_graph
from .networks import Network, Refused, network, number, of_networkx


def _made(random: Random, weights: tuple[str, ...] = ("", "integer", "decimal"), numbers: bool | None = None, directed: bool = False) -> nx.Graph:
    graph = drawn_graph(random, weights, numbers=numbers)
    made = nx.DiGraph() if directed else nx.Graph()
    made.add_nodes_from(graph.vertices)
    for u, v, w in graph.edges:
        made.add_edge(u, v, **({"weight": number(w)} if w else {}))
    return made


def _numbered(random: Random) -> nx.Graph:
    return nx.convert_node_labels_to_integers(_made(random, ("",)))


def graph6(random: Random) -> Case:
    """nauty's."""
    graph = _numbered(random)
    sparse = random.random() < 0.5
    write, parse = (nx.to_sparse6_bytes, nx.from_sparse6_bytes) if sparse else (nx.to_graph6_bytes, nx.from_graph6_bytes)

    def read(data: bytes) -> Network:
        lines = data.split(b"\n")
        if any(lines[1:]):
            raise Refused("several lines")
        # networkx takes bytes that the format does not have.
        if any(not 63 <= byte <= 126 for byte in lines[0].rstrip(b"\r").removeprefix(b">>graph6<<").removeprefix(b">>sparse6<<").removeprefix(b":")):
            raise Refused("other bytes")
        found = of_networkx(parse(lines[0].rstrip(b"\r")))
        return network("undirected", [(str(u), str(v), w) for (u, v), w in found.weights.items()], map(str, found.left))

    data = write(graph, header=random.random() < 0.4)
    return Case(data, "sparse6" if sparse else "graph6", ".s6" if sparse else ".g6", read, read(data))


def graphml(random: Random) -> Case:
    """networkx's GraphML."""
    graph = _made(random, directed=random.random() < 0.2)
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    text = "\n".join(nx.generate_graphml(graph)) + "\n"

    def read(data: str) -> Network:
        # A file of several graphs is one to countpm's reader, too: none.
        found = list(nx.readwrite.graphml.GraphMLReader(node_type=str)(string=data))
        if len(found) != 1:
            raise Refused("several graphs")
        return of_networkx(found[0], unit=not weighted)

    return Case(text, "graphml", ".graphml", read, of_networkx(graph), weighted)


def dot(random: Random) -> Case:
    """Graphviz; pydot, as networkx.nx_pydot does."""
    graph = _made(random, directed=random.random() < 0.2)
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    arrow = "->" if graph.is_directed() else "--"
    quote = not all(all(letter.isalnum() and letter.isascii() or letter == "_" for letter in v) for v in graph) or random.random() < 0.3
    name = (lambda v: f'"{v}"') if quote else (lambda v: v)
    lines = [f"{random.choice(('', 'strict '))}{'digraph' if graph.is_directed() else 'graph'} {random.choice(('', 'G '))}{{"]
    lines += [f"  {name(v)};" for v in graph] if random.random() < 0.6 or not all(dict(graph.degree()).values()) else []
    for u, v, data in graph.edges(data=True):
        weight = f" [weight={data['weight'] if random.random() < 0.5 else chr(34) + str(data['weight']) + chr(34)}]" if weighted else ""
        lines.append(f"  {name(u)} {arrow} {name(v)}{weight};")
    text = "\n".join([*lines, "}"]) + "\n"
    return Case(text, "dot", random.choice((".dot", ".gv")), functools.partial(_by_pydot, weighted), of_networkx(graph), weighted)


def _by_pydot(weighted: bool, text: str) -> Network:
    import pydot

    with contextlib.redirect_stdout(io.StringIO()):  # where it prints what it does not understand
        graphs = pydot.graph_from_dot_data(text)
    if not graphs or len(graphs) != 1 or graphs[0].get_subgraph_list():
        raise Refused("no graph, several, or groups, which pydot keeps apart")
    found = graphs[0]
    directed = found.get_type() == "digraph"
    nodes = [node.get_name().strip('"') for node in found.get_node_list() if node.get_name() not in ("node", "edge", "graph")]
    defaults = [node for node in found.get_node_list() if node.get_name() == "edge"]
    if defaults and weighted:
        raise Refused("pydot keeps defaults apart")
    edges = [(edge.get_source().strip('"'), edge.get_destination().strip('"'), edge.get_attributes().get("weight")) for edge in found.get_edge_list()]
    seen = {(u, v) if directed else frozenset((u, v)) for u, v, _ in edges}
    if len(seen) != len(edges):
        raise Refused("an edge twice")
    return network("directed" if directed else "undirected", [(u, v, number(str(w).strip('"')) if weighted and w is not None else 1) for u, v, w in edges], nodes)


def gml(random: Random) -> Case:
    """networkx's GML; vertices by their labels."""
    graph = _made(random)
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    text = "\n".join(nx.generate_gml(graph)) + "\n"
    return Case(text, "gml", ".gml", lambda text: of_networkx(nx.parse_gml(text), unit=not weighted), of_networkx(graph), weighted)


def gexf(random: Random) -> Case:
    """Gephi's GEXF."""
    graph = _made(random)
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    text = "\n".join(nx.generate_gexf(graph)) + "\n"
    return Case(text, "gexf", ".gexf", lambda text: of_networkx(nx.read_gexf(io.BytesIO(text.encode())), unit=not weighted), of_networkx(graph), weighted)


def pajek(random: Random) -> Case:
    """Pajek's .net."""
    graph = _made(random, ("", "integer"))
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    text = "\n".join(nx.generate_pajek(graph)) + "\n"

    def read(text: str) -> Network:
        # networkx passes over what it does not know: indented heads, weights that are no floats; and joins vertices of one name.
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        edges = lines[1 + next(at for at, line in enumerate(lines) if line.lower().startswith(("*edges", "*arcs"))) :]
        for line in edges:
            if not line.startswith(("*", "%")) and len(words := line.split()) > 2:
                float(words[2])
        found = nx.parse_pajek("\n".join(lines))
        if len(found) != int(lines[0].split()[1]) or not lines[0].lower().startswith("*vertices") or any(line.startswith("*") and line.lower() not in ("*edges", "*arcs") for line in lines[1:]):
            raise Refused("a name twice, or other sections")
        return of_networkx(found, unit=not weighted)

    return Case(text, "pajek", ".net", read, of_networkx(graph), weighted)


def node_link(random: Random) -> Case:
    """networkx's (and D3's) node-link JSON."""
    graph = _made(random)
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    edges = random.choice(("edges", "links"))
    text = json.dumps(nx.node_link_data(graph, edges=edges), indent=random.choice((None, 1)))

    def read(text: str) -> Network:
        return of_networkx(nx.node_link_graph(json.loads(text), edges=edges), unit=not weighted)

    return Case(text + "\n", "json", ".json", read, of_networkx(graph), weighted)


_MOLECULES = ("c1ccccc1", "c1ccc2ccccc2c1", "c1ccncc1", "C=CC=C", "O=C1C=CC(=O)C=C1", "c1ccc(cc1)-c1ccccc1", "C=Cc1ccccc1", "C=C1C=CC=C1", "c1cc[nH]c1", "c1ccoc1",
              "Cc1ccccc1", "C=C", "CC(=O)C=C", "c1cnc2ccccc2c1", "OC(=O)C=C", "C1=CC2=CC=CC=CC2=C1", "C=CC(=C)C=C", "c1ccc2cc3ccccc3cc2c1", "N#CC=C", "c1ccsc1")


@functools.cache
def _blocks() -> tuple[str, ...]:
    from rdkit import Chem, RDLogger
    from rdkit.Chem import rdDepictor

    RDLogger.DisableLog("rdApp.*")
    blocks = []
    for smiles in _MOLECULES:
        molecule = Chem.MolFromSmiles(smiles)
        for hydrogens in (False, True):
            whole = Chem.AddHs(molecule) if hydrogens else molecule
            rdDepictor.Compute2DCoords(whole)
            blocks += [Chem.MolToMolBlock(whole, kekulize=kekulized, forceV3000=newer) for kekulized in (True, False) for newer in (False, True)
                       if kekulized or hydrogens or "[nH]" not in smiles]
    return tuple(blocks)


def molfile(random: Random) -> Case:
    """RDKit's molfiles: the atoms that bring one electron to the pi system (docs/formats-molecules.md)."""
    text = random.choice(_blocks())
    sdf = random.random() < 0.3
    if sdf:
        text += "> <name>\nof a series\n\n$$$$\n"
    return Case(text, "sdf" if sdf else "mol", ".sdf" if sdf else ".mol", _by_rdkit, _by_rdkit(text))


def _by_rdkit(text: str) -> Network:
    from rdkit import Chem

    block = text.partition("M  END")[0] + "M  END\n"
    raw = Chem.MolFromMolBlock(block, sanitize=False, removeHs=False)
    molecule = Chem.MolFromMolBlock(block, sanitize=True, removeHs=False)
    if molecule is None or "M  END" not in text:
        raise Refused("RDKit does not read it")
    Chem.Kekulize(molecule, clearAromaticFlags=True)
    kinds = Chem.BondType
    ends: dict[int, list[Any]] = {atom.GetIdx(): [bond.GetBondType() for bond in atom.GetBonds()] for atom in molecule.GetAtoms()}
    if any(atom.GetNumRadicalElectrons() or atom.GetFormalCharge() or atom.GetAtomicNum() == 0 for atom in molecule.GetAtoms()):
        raise Refused("radicals and charges are not judged")
    if any(set(types) - {kinds.SINGLE, kinds.DOUBLE, kinds.TRIPLE} for types in ends.values()):
        raise Refused("other bonds are not judged")
    aromatic = [end for bond in raw.GetBonds() if bond.GetBondType() == kinds.AROMATIC for end in (bond.GetBeginAtom(), bond.GetEndAtom())]
    if any(end.GetSymbol() == "C" and set(ends[end.GetIdx()]) <= {kinds.SINGLE} for end in aromatic):
        raise Refused("carbon with an aromatic bond outside of rings, to which RDKit adds hydrogen")
    if any(sum(kind != kinds.SINGLE for kind in ends[end.GetIdx()]) > 1 for end in aromatic):
        raise Refused("a double bond in a ring of aromatic ones, beside which RDKit makes another")
    inside = {at for at, types in ends.items() if sum(t != kinds.SINGLE for t in types) == 1}
    if not inside:
        raise Refused("no pi system")
    label = {atom.GetIdx(): f"{atom.GetSymbol()}{atom.GetIdx() + 1}" for atom in molecule.GetAtoms()}
    edges = [(label[bond.GetBeginAtomIdx()], label[bond.GetEndAtomIdx()], 1) for bond in molecule.GetBonds()
             if bond.GetBeginAtomIdx() in inside and bond.GetEndAtomIdx() in inside]
    return network("undirected", edges, [label[at] for at in sorted(inside)])
