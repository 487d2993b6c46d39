"""The drawing of a table: everything once and where it belongs, complete as a file, and harmless on a page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import sqrt
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import RING_LIGHT
from tamsk_hw.referee.playback import Playback
from tamsk_hw.referee.rulings import Correction, Empty
from tamsk_hw.referee.stream import read_stream
from tamsk_hw.referee.view import GlassState, OpenRing, View
from tamsk_hw.svg import drawing_of
from tamsk_hw.system.output import Language
from tamsk_hw.words.translating import speaking
from tests.boards import SEVEN
from tests.house import ROOT
from tests.panel.boards import BLACK, RED, glass, played, view
from tests.scenarios.book import SCENARIOS, Scenario
from tests.soak import sample
from tests.svg.drawn import SPACE, named, of_class, read, uses


@cache
def recorded() -> tuple[View, ...]:
    """Tables of a game at level 3, from its beginning to its end."""
    with (ROOT / "tests" / "recordings" / "level-3.jsonl").open("rb") as lines:
        playback = Playback(*read_stream(lines))
    shares = [place / 8 for place in range(9)]
    return tuple(playback.at(playback.begins + share * (playback.ends - playback.begins)) for share in shares)


def troubled() -> View:
    """A view with everything to be put right that there is."""
    counted, seen = [0] * 37, [0] * 37
    seen[Tube.B2], counted[Tube.D4], seen[Tube.D4] = 2, 3, 2
    return view(
        glasses=(
            glass(BLACK, Tube.D7, standing=Tube.E5),
            glass(RED, Tube.G4, seconds=20),
            glass(BLACK, Tube.F2, GlassState.LOST),
        ),
        rings=tuple(counted),
        rings_seen=tuple(seen),
        wrong=(
            Correction(Tube.E5, BLACK, Empty()),
            Correction(Tube.D7, Empty(), BLACK),
            Correction(Tube.B2, 2, 0),
            Correction(Tube.D4, 2, 3),
            Correction(Tube.F2, None, BLACK),
            Correction(Tube.C1, RED, Empty()),
        ),
        deadline=104.0,
    )


def states() -> Iterator[View]:
    """Views of every kind."""
    yield from recorded()
    yield troubled()
    yield replace(troubled(), link_lost=True, penalty=BLACK, ring_open={Tube.C4: OpenRing(BLACK, 2.0)})


def test_tubes_are_as_tall_as_the_rings_that_they_take() -> None:
    """R1.2; what is above the rings shows how many more there is room for."""
    seen = [0] * 37
    seen[Tube.D4] = 3
    root = read(view(rings=tuple(seen), rings_seen=tuple(seen)))
    for tube, free in ((Tube.A1, 1), (Tube.B2, 2), (Tube.C3, 3), (Tube.D4, 1), (Tube.D3, 3)):
        assert uses(named(root, f"tube-{tube.name}"), f"tube-{free}") == 1, tube


def test_every_glass_is_drawn_once_with_what_a_page_needs_to_move_its_sand() -> None:
    now = view(glasses=(glass(RED, Tube.A4, seconds=(80.5, 91.25)), glass(RED, Tube.D2), glass(BLACK, Tube.D7)))
    root = read(now)
    drawn = named(root, "glass-red-1")
    assert len(of_class(root, "tamsk-glass")) == 3
    assert {"red", "running"} <= set((drawn.get("class") or "").split())
    assert drawn.get("data-tube") == drawn.get("data-standing") == "A4"
    assert float(drawn.get("data-t") or "") == 100.0
    assert (drawn.get("data-seconds") or "").split() == ["80.5", "91.25"]
    low, high = map(float, (drawn.get("data-fraction") or "").split())
    assert (low, high) == pytest.approx((80.5 / 180, 91.25 / 180), abs=1e-5)
    assert named(root, "glass-red-2").get("data-tube") == "D2"
    assert named(root, "glass-black-1").get("data-tube") == "D7"


def test_what_a_script_may_rely_on_is_written_down() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    section = page.partition("## Drawing\n")[2].partition("\n## ")[0]
    written = {name for name in re.findall(r"`(data-[a-z]+)`", section) if name != "data-theme"}
    root = read(view(glasses=(glass(RED, Tube.D4, seconds=(9.0, 9.0)),)))
    assert {name for each in root.iter() for name in each.attrib if name.startswith("data-")} == written
    for name in ("tube-D4", "glass-red-1"):
        assert f"| `{name}` |" in section
        for attribute in named(root, name).attrib:
            row = next(line for line in section.splitlines() if line.startswith(f"| `{name}`"))
            assert not attribute.startswith("data-") or f"`{attribute}`" in row
    (sand,), (fallen,) = (of_class(named(root, "glass-red-1"), name) for name in ("sand", "fallen"))
    above, below = (float(each.get("height") or "") for each in (sand, fallen))
    full, foot = re.search(r"\*h\* = (\d+)·√\*f\*", section), re.search(r"`y` (\d+) \+ \*h\*", section)
    assert full is not None
    assert foot is not None
    assert above == pytest.approx(float(full[1]) * sqrt(9 / 180), abs=0.01)
    assert below == pytest.approx(float(full[1]) - above, abs=0.01)
    assert float(sand.get("y") or "") == -above
    assert float(fallen.get("y") or "") == pytest.approx(float(foot[1]) + above, abs=0.01)


def test_lost_doubtful_and_unstarted_glasses_differ_in_form() -> None:
    def forms(state: GlassState) -> set[str | None]:
        """Everything but colours."""
        drawn = named(read(view(glasses=(glass(RED, Tube.D4, state, seconds=(0.0, 20.0)),))), "glass-red-1")
        return {each.get("d") or each.get("stroke-dasharray") for each in drawn.iter()} | {
            each.get("stroke-dasharray") for each in drawn.iter()
        }

    running, lost, unstarted = map(forms, (GlassState.RUNNING, GlassState.LOST, GlassState.UNSTARTED))
    assert running != lost != unstarted != running
    doubtful = read(view(glasses=(glass(RED, Tube.D4, GlassState.DOUBTFUL, seconds=(0.0, 20.0)),)))
    assert [each.text for sign in of_class(doubtful, "doubt") for each in sign.iter(f"{SPACE}text")] == ["?"]
    in_hand = glass(RED, Tube.D4, GlassState.DOUBTFUL, seconds=(0.0, 20.0), standing=None)
    assert len(of_class(read(view(glasses=(in_hand,))), "doubt")) == 1


def test_a_glass_in_the_hand_is_lifted_above_its_tube() -> None:
    def height(root: Element) -> float:
        match = re.match(r"translate\(\S+ (\S+)\)", named(root, "glass-red-1").get("transform") or "")
        assert match is not None
        return -float(match[1])

    held, stands = (read(view(glasses=(glass(RED, Tube.D4, standing=standing),))) for standing in (None, Tube.D4))
    assert height(held) > height(stands) + 20
    assert "held" in (named(held, "glass-red-1").get("class") or "")
    assert len(of_class(held, "home")) == 1


def test_signs_stand_where_they_belong() -> None:
    now = view(
        destinations=frozenset({Tube.D3, Tube.E4}),
        full=frozenset({Tube.A1}),
        unread={RING_LIGHT: frozenset({Tube.C3, Tube.D4})},
    )
    root = read(now)
    assert len(of_class(root, "destination-sign")) == 2
    assert of_class(named(root, "tube-A1"), "lid") == of_class(root, "lid") != []
    assert len(of_class(root, "unread")) == 2
    titles = [each.text or "" for each in root.iter(f"{SPACE}title")]
    assert [title for title in titles if "not read" in title] == [
        "D4: 0 of 4 rings, its rings are not read",
        "C3: 0 of 3 rings, its rings are not read",
    ]
    assert not of_class(root, "stale")
    (sign,) = of_class(read(replace(now, link_lost=True)), "stale")
    assert [each.text for each in sign.iter(f"{SPACE}text")] == ["board out of reach"]


def test_what_is_to_be_put_right_is_marked_where_it_is() -> None:
    now = troubled()
    root = read(now)
    for mend in now.wrong:
        assert of_class(named(root, f"tube-{mend.tube.name}"), "wrong"), mend.tube
    signs = of_class(root, "wrong-sign")
    assert len(signs) == len(now.wrong)
    counts = [each.text for sign in signs for each in sign.iter(f"{SPACE}text")]
    assert sorted(filter(None, counts)) == ["+1", "−2"]
    assert len(of_class(root, "way-home")) == 1
    assert len(of_class(root, "stranger")) == 1
    assert len(of_class(root, "ring-missing")) == 1
    assert len(of_class(root, "ring-extra")) == 2


def test_layers_put_upon_each_other_are_the_board() -> None:
    """In the same order, each thing once, with all definitions in the lowest."""
    for now in states():
        layers = [(name, ElementTree.fromstring(svg)) for name, svg in drawing_of(now).layers()]
        assert [root.get("id") for _, root in layers] == [name for name, _ in layers]
        assert len({name for name, _ in layers}) == len(layers)
        assert [name for name, root in layers if root.find("defs") is not None] == ["layer-plate"]
        *_, board = of_class(read(now), "board")
        whole = [each.get("id") for each in board.iter() if each.get("id")]
        assert [each.get("id") for _, root in layers for each in root.iterfind("g//*[@id]")] == whole
        assert (drawing_of(now).stale_sign() is not None) is now.link_lost


def test_a_board_of_seven_tubes_is_drawn_larger() -> None:
    now = Referee(Header(ruleset=Ruleset(start=Start.FREE, tubes=SEVEN.wiring.tubes))).view()
    assert {each.get("data-tube") for each in of_class(read(now), "tamsk-tube")} == {*map(str, SEVEN.wiring.tubes)}
    assert 'class="board"><g transform="translate(-392 -360) scale(1.8)">' in drawing_of(now).svg()


def test_a_drawing_needs_nothing_that_a_strict_page_refuses() -> None:
    for now in states():
        root = read(now)
        for element in root.iter():
            assert element.tag.removeprefix(SPACE) not in {"script", "style", "image", "foreignObject", "a"}
            for name, value in element.attrib.items():
                assert name != "style"
                assert not name.startswith("on")
                assert "://" not in value
                for target in re.findall(r"url\((.*?)\)", value):
                    assert target.startswith("#")
            assert (element.get("href") or "#").startswith("#")


@pytest.mark.parametrize("prefix", ["", "game-7_"])
def test_ids_are_used_once_and_all_that_are_meant_exist(prefix: str) -> None:
    for now in states():
        text = drawing_of(now, prefix=prefix).svg()
        ids = re.findall(r'\bid="([^"]*)"', text)
        assert len(set(ids)) == len(ids)
        assert all(each.startswith(prefix) for each in ids)
        meant = re.findall(r'href="#([^"]*)"', text) + re.findall(r"url\(#([^)]*)\)", text)
        labels = re.findall(r'aria-labelledby="([^"]*)"', text)[0].split()
        assert {*meant, *labels} <= set(ids)


@pytest.mark.parametrize("prefix", ['"', "a b", "ä"])
def test_a_prefix_that_begins_no_id_is_refused(prefix: str) -> None:
    with pytest.raises(MisuseError, match="allowed: letters"):
        drawing_of(view(), prefix=prefix)


@pytest.mark.parametrize("scenario", sample(SCENARIOS, soak=15, otherwise=60), ids=lambda scenario: scenario.name)
def test_every_state_of_the_scenarios_can_be_drawn(scenario: Scenario) -> None:
    for _, now in played(scenario):
        root = read(now)
        assert len(of_class(root, "tamsk-glass")) == len(now.glasses)


def described(language: Language, now: View) -> list[str]:
    """The drawing's texts, also those for whoever cannot see it."""
    with speaking(language):
        return [each.text or "" for each in read(now).iter()]


def test_a_drawing_is_in_the_language_that_is_spoken_when_it_is_drawn() -> None:
    """Parts are kept from one drawing to the next: none in another language."""
    now = replace(troubled(), link_lost=True)
    english, german = described(Language.ENGLISH, now), described(Language.DE, now)
    assert described(Language.ENGLISH, now) == english
    assert described(Language.DE, now) == german
    for words in ("board out of reach", "F2: 0 of 2 rings, set the glass upright"):
        assert words in english
        assert words not in german
    for words in ("Brett unerreichbar", "F2: 0 von 2 Ringen, die Sanduhr gerade stellen"):
        assert words in german
