"""Draws board files with KiCad 6. Run by the system's Python, which has ``pcbnew``; everything else is in JSON.

``drawing.py footprints REQUEST ANSWER`` · ``board JOB FILE`` · ``rules FILE REPORT`` · ``plots FILE FOLDER``
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pcbnew

#: The finest line that a cheap factory prints, millimetres.
_STROKE = 0.15

_LIBRARIES = Path("/usr/share/kicad/footprints")
_OWN = Path(__file__).resolve().parent

_GERBERS = {
    "F.Cu": "F_Cu", "In1.Cu": "In1_Cu", "In2.Cu": "In2_Cu", "B.Cu": "B_Cu", "F.Mask": "F_Mask", "B.Mask": "B_Mask",
    "F.Paste": "F_Paste", "F.SilkS": "F_Silkscreen", "B.SilkS": "B_Silkscreen", "Edge.Cuts": "Edge_Cuts",
}  # fmt: skip

_PICTURES = {
    "front": ("Edge.Cuts", "F.Cu", "F.Mask", "F.SilkS"),
    "back": ("Edge.Cuts", "B.Cu", "B.Mask", "B.SilkS"),
    "assembly": ("Edge.Cuts", "F.Fab"),
}


def _nanometres(value: float) -> int:
    return round(value * 1_000_000)


def _point(x: float, y: float) -> Any:
    return pcbnew.wxPoint(_nanometres(x), _nanometres(y))


def _footprint(name: str) -> Any:
    library, key = name.split(":")
    # Each file of a library takes marks from KiCad's generator when it is loaded: one more would change the files
    # of all boards that use the library. So there are two.
    folder = _OWN if library.startswith("tamsk") else _LIBRARIES
    found = pcbnew.FootprintLoad(str(folder / f"{library}.pretty"), key)
    if found is None:
        raise SystemExit(f"{name}: no such footprint; allowed are those of KiCad 6 and of wiring/boards")
    return found


def footprints(names: list[str]) -> dict[str, Any]:
    """Pads and courtyard of each footprint, millimetres."""
    answer = {}
    for name in names:
        footprint = _footprint(name)
        pads = [
            {
                "number": pad.GetNumber(),
                "x": pad.GetPos0().x / 1e6,
                "y": pad.GetPos0().y / 1e6,
                "width": pad.GetSize().x / 1e6,
                "height": pad.GetSize().y / 1e6,
                "angle": pad.GetOrientation() / 10,
                "through": pad.GetDrillSize().x > 0,
                "drill": max(pad.GetDrillSize().x, pad.GetDrillSize().y) / 1e6,
                "free": pad.GetLocalClearance() / 1e6,
            }
            for pad in footprint.Pads()
        ]
        answer[name] = {"pads": pads, "courtyard": _courtyard(footprint)}
    return answer


def _courtyard(footprint: Any) -> list[float]:
    points = []
    for item in footprint.GraphicalItems():
        if item.GetLayerName() in ("F.Courtyard", "F.CrtYd") and isinstance(item, pcbnew.FP_SHAPE):
            box = item.GetBoundingBox()
            half = item.GetWidth() / 2
            points += [
                (box.GetLeft() + half, box.GetTop() + half),
                (box.GetRight() - half, box.GetBottom() - half),
            ]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return [round(v / 1e6, 3) for v in (min(xs), min(ys), max(xs), max(ys))]


def draw(job: dict[str, Any], path: Path) -> None:
    """Write the board file of a job, its zones filled."""
    pcbnew.KIID.SeedGenerator(1)
    board = pcbnew.BOARD()
    board.SetCopperLayerCount(job["copper_layers"])
    settings = board.GetDesignSettings()
    settings.SetBoardThickness(_nanometres(job["thickness"]))
    settings.SetAuxOrigin(_point(*job["origin"]))
    layers = {board.GetLayerName(number): number for number in range(pcbnew.PCB_LAYER_ID_COUNT)}
    layers |= {name: board.GetLayerID(name) for name in _GERBERS}
    silk = {"F": pcbnew.F_SilkS, "B": pcbnew.B_SilkS}
    nets = {}
    for name in job["nets"]:
        nets[name] = pcbnew.NETINFO_ITEM(board, name)
        board.Add(nets[name])
    for shape in job["outline"]:
        edge = pcbnew.PCB_SHAPE(board)
        edge.SetLayer(pcbnew.Edge_Cuts)
        edge.SetWidth(_nanometres(0.1))
        if "circle" in shape:
            x, y, radius = shape["circle"]
            edge.SetShape(pcbnew.SHAPE_T_CIRCLE)
            edge.SetStart(_point(x, y))
            edge.SetEnd(_point(x + radius, y))
        else:
            x, y, x2, y2 = shape["line"]
            edge.SetShape(pcbnew.SHAPE_T_SEGMENT)
            edge.SetStart(_point(x, y))
            edge.SetEnd(_point(x2, y2))
        board.Add(edge)
    for part in job["parts"]:
        footprint = _footprint(part["footprint"])
        footprint.SetReference(part["ref"])
        footprint.SetValue(part["value"])
        footprint.SetPosition(_point(part["x"], part["y"]))
        board.Add(footprint)
        if part["side"] == "B":
            footprint.Flip(footprint.GetPosition(), False)
        footprint.SetOrientationDegrees(part["angle"])
        footprint.Value().SetVisible(False)
        reference = footprint.Reference()
        label = part.get("label")
        if label is None:
            reference.SetVisible(
                reference.GetLayerName() not in ("F.Silkscreen", "F.SilkS", "B.SilkS", "B.Silkscreen")
            )
        else:
            reference.SetVisible(True)
            reference.SetLayer(silk[part["side"]])
            reference.SetTextSize(pcbnew.wxSizeMM(label["size"], label["size"]))
            reference.SetTextThickness(_nanometres(max(_STROKE, label["size"] * 0.15)))
            reference.SetPosition(_point(label["x"], label["y"]))
            reference.SetKeepUpright(False)
            reference.SetTextAngle((label["angle"] - part["angle"]) * 10)
        for pad in footprint.Pads():
            net = part["pads"].get(pad.GetNumber())
            if net is not None:
                pad.SetNet(nets[net])
    for net, layer, width, x, y, x2, y2 in job["tracks"]:
        track = pcbnew.PCB_TRACK(board)
        track.SetStart(_point(x, y))
        track.SetEnd(_point(x2, y2))
        track.SetWidth(_nanometres(width))
        track.SetLayer(layers[layer])
        track.SetNet(nets[net])
        board.Add(track)
    for net, x, y, size, drill in job["vias"]:
        via = pcbnew.PCB_VIA(board)
        via.SetPosition(_point(x, y))
        via.SetWidth(_nanometres(size))
        via.SetDrill(_nanometres(drill))
        via.SetNet(nets[net])
        board.Add(via)
    for text in job["texts"]:
        item = pcbnew.PCB_TEXT(board)
        item.SetText(text["text"])
        item.SetLayer(silk[text["side"]])
        item.SetPosition(_point(text["x"], text["y"]))
        item.SetTextAngle(text["angle"] * 10)
        item.SetTextSize(pcbnew.wxSizeMM(text["size"], text["size"]))
        item.SetTextThickness(_nanometres(max(_STROKE, text["size"] * 0.15)))
        item.SetMirrored(text["side"] == "B")
        board.Add(item)
    for zone in job["zones"]:
        area = pcbnew.ZONE(board)
        area.SetLayer(layers[zone["layer"]])
        area.SetNet(nets[zone["net"]])
        chain = pcbnew.SHAPE_LINE_CHAIN()
        for x, y in zone["points"]:
            chain.Append(_nanometres(x), _nanometres(y))
        chain.SetClosed(True)
        area.AddPolygon(chain)
        area.SetLocalClearance(_nanometres(zone["clearance"]))
        area.SetMinThickness(_nanometres(0.2))
        area.SetThermalReliefGap(_nanometres(0.25))
        area.SetThermalReliefSpokeWidth(_nanometres(job["spoke"]))
        area.SetPriority(zone["priority"])
        area.SetIsFilled(False)
        board.Add(area)
    pcbnew.SaveBoard(str(path), board, True)
    # Read anew with the rules beside it, by which the zones are filled.
    board = pcbnew.LoadBoard(str(path))
    board.BuildConnectivity()
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(str(path), board, True)


def rules(path: Path, report: Path) -> None:
    """Write KiCad's report on a board file by the rules of the project beside it."""
    board = pcbnew.LoadBoard(str(path))
    board.BuildConnectivity()
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)


def plots(path: Path, folder: Path) -> None:
    """Write Gerbers and drill files into ``gerber``, and as SVG both sides and the places of the parts."""
    board = pcbnew.LoadBoard(str(path))
    controller = pcbnew.PLOT_CONTROLLER(board)
    options = controller.GetPlotOptions()
    options.SetPlotFrameRef(False)
    options.SetUseAuxOrigin(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetPlotValue(False)
    options.SetSketchPadLineWidth(_nanometres(0.1))
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    options.SetOutputDirectory(str(folder / "gerber"))
    for layer, name in _GERBERS.items():
        if board.IsLayerEnabled(board.GetLayerID(layer)):
            _plot(controller, board, name, pcbnew.PLOT_FORMAT_GERBER, layer)
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    drill.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
    drill.CreateDrillandMapFilesSet(str(folder / "gerber"), True, False)
    options.SetOutputDirectory(str(folder))
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.FULL_DRILL_SHAPE)
    size = board.GetBoardEdgesBoundingBox()
    for name, layers in _PICTURES.items():
        # Seen from below, as it lies when turned over.
        options.SetMirror(name == "back")
        _plot(controller, board, name, pcbnew.PLOT_FORMAT_SVG, *layers)
        picture = folder / f"{path.stem}-{name}.svg"
        text = re.sub(r"<text .*?</text>", "", picture.read_text(), flags=re.DOTALL)
        sheet, page = re.search(r'width="\S+" height="\S+" viewBox="0 0 (\d+) \d+"', text).group(0, 1)
        wide, high = size.GetWidth(), size.GetHeight()
        left = int(page) - wide if name == "back" else 0
        cut = f'width="{wide / 1e6:g}mm" height="{high / 1e6:g}mm" viewBox="{left} {-high} {wide} {high}"'
        picture.write_text(text.replace(sheet, cut))


def _plot(controller: Any, board: Any, name: str, kind: int, *layers: str) -> None:
    # A Gerber file says at its beginning which layer it is.
    controller.SetLayer(board.GetLayerID(layers[0]))
    controller.OpenPlotfile(name, kind, "")
    for layer in layers:
        controller.SetLayer(board.GetLayerID(layer))
        controller.PlotLayer()
    controller.ClosePlot()


def main(arguments: list[str]) -> int:
    """Do one command; return the exit status."""
    match arguments:
        case ["footprints", request, answer]:
            found = footprints(json.loads(Path(request).read_text()))
            Path(answer).write_text(json.dumps(found))
        case ["board", job, path]:
            draw(json.loads(Path(job).read_text()), Path(path))
        case ["rules", path, report]:
            rules(Path(path), Path(report))
        case ["plots", path, folder]:
            plots(Path(path), Path(folder))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
