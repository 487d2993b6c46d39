"""Time that nobody saw, beyond what the scenarios show: what is certain against the truth."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.game import End, Player, Tube
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Button, ButtonName, Event, Lift, Link, LinkState, Press, Seat, Tick
from tamsk_hw.referee.rulings import ArbiterNeeded, GameOver, GlassLost, Ruling
from tamsk_hw.referee.stream import SandSettings
from tests.soak import in_soak

#: Six opening moves, each glass turned over once: whose, from where, to where.
OPENING = (
    (Player.RED, Tube.D1, Tube.D2),
    (Player.BLACK, Tube.G1, Tube.F2),
    (Player.RED, Tube.G4, Tube.F4),
    (Player.BLACK, Tube.D7, Tube.D6),
    (Player.RED, Tube.A4, Tube.B4),
    (Player.BLACK, Tube.A1, Tube.B2),
)

#: The least of a time unseen, how much more it may have been, and which share of that it truly was.
aways = st.tuples(st.floats(0, 150), st.floats(0, 100), st.floats(0, 1))


@settings(max_examples=in_soak(2000, otherwise=100))
@given(
    st.lists(st.integers(1, 40), min_size=6, max_size=6),
    st.lists(st.floats(0.981, 1.019), min_size=6, max_size=6),
    st.lists(st.tuples(st.integers(0, 6), aways), max_size=3),
)
def test_what_the_referee_is_sure_of_was_so(
    waits: list[int], paces: list[float], gone: list[tuple[int, tuple[float, float, float]]]
) -> None:
    """Six glasses left to run, unseen now and then: none is lost that truly ran on, and whoever wins by the sand
    had the last one."""
    referee = Referee(Header(sand=SandSettings(tolerance=0.02)))
    rulings: list[Ruling] = []

    def tell(event: Event) -> None:
        rulings.extend(referee.handle(event))

    for player in PLAYERS:
        for tube in START_TUBES[player]:
            tell(Seat(0.0, tube, End.A))
    tell(Button(0.0, ButtonName.START, Press.SHORT))
    t = unseen = 0.0
    seen_again = [(t, unseen)]
    runs_out: dict[Tube, float] = {}
    for number in range(7):
        for place, (least, width, share) in gone:
            if place == number:
                unseen += least + share * width
                tell(Link(t, LinkState.RESTORED, (least, least + width)))
                seen_again.append((t, unseen))
        if number < 6:
            _, start, to = OPENING[number]
            t += waits[number]
            tell(Lift(t, start))
            tell(Seat(t, to, End.B))
            runs_out[to] = t + unseen + 180.0 / paces[number]
    tell(Tick(t + 600.0))

    for ruling in rulings:
        if isinstance(ruling, GlassLost):
            truly = ruling.t + max(unseen for since, unseen in seen_again if since <= ruling.t)
            assert truly >= runs_out[ruling.tube] - 1e-5
    ends = [ruling for ruling in rulings if isinstance(ruling, GameOver | ArbiterNeeded)]
    assert len(ends) == 1
    if isinstance(ends[0], GameOver):
        owner = {to: player for player, _, to in OPENING}
        assert ends[0].winner is owner[max(runs_out, key=lambda tube: runs_out[tube])]
