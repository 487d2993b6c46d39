"""The host's budgets (docs/design.md, Budgets), measured here: figures of this machine, which vary."""

import gc
import statistics
import time

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.replay import referee_stream
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import pixels
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.stream import json_line
from tamsk_hw.simulator.board import SimulatedBoard
from tests.bench.figures import Figure
from tests.bench.machine import slowness
from tests.bench.searching import searching_figures
from tests.bench.thinking import thinking_figures
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.simulation import DirectWire

WIRING = load_wiring()

#: How often the game is refereed. The work is the same each time, garbage collection included: a frame's least
#: time is the program's, and what is above it is what else ran on the machine.
PASSES = 5


class Tap(DirectWire):
    """A wire that keeps every frame, with the time at which its last byte left the board."""

    def __init__(self, board: SimulatedBoard) -> None:
        super().__init__(board, WIRING)
        self.frames: list[tuple[float, bytes]] = []

    def hear(self, sent: float, frame: bytes) -> list[LinkEvent]:
        """Hand one frame to the link."""
        self.frames.append((sent, frame))
        return super().hear(sent, frame)


def recorded_game(minutes: float) -> tuple[SimulatedGame, list[tuple[float, bytes]], list[Event]]:
    """A level-3 game of at least so many minutes, with every frame that its board sent."""
    for seed in range(1000):
        events: list[Event] = []
        game = SimulatedGame(Ruleset(level=3), seed, habits=Habits(pace=6.0, careless=0.0), record=events.append)
        assert isinstance(game.board, SimulatedBoard)
        tap = Tap(game.board)
        game.wire = tap
        game.play()
        if game.refereeing.now >= minutes * 60:
            return game, tap.frames, events
    raise SystemExit("no seed plays so long a game")


def fresh_referee(game: SimulatedGame) -> SimulatedGame:
    """The same board and header with a referee that has seen nothing."""
    return SimulatedGame(game.header.ruleset, game.world.seed)


def refereed(
    game: SimulatedGame, frames: list[tuple[float, bytes]], events: list[Event]
) -> tuple[dict[int, float], list[float]]:
    """CPU seconds for each frame that led to a ruling (with its lights) by number, and for the others."""
    host = fresh_referee(game)
    session = LinkSession(WIRING.hash)
    session.opened(0.0)
    referee = host.refereeing
    others = [event for event in events if type(event).__name__ in ("Button", "Arbiter")]
    ruled_in: dict[int, float] = {}
    idle_in: list[float] = []
    clock = time.process_time
    gc.collect()
    gc.freeze()  # what the recording has left is no part of the program; the service does the same at its start
    for number, (sent, frame) in enumerate(frames):
        while others and others[0].t <= sent:
            referee.take([others.pop(0)])
        begin = clock()
        for event in session.receive(frame, sent):
            referee.take_link(event)
        ruled = referee.advance(sent)
        if ruled:
            view = referee.view()
            pixels(diagnose(view), view.t, WIRING)
            ruled_in[number] = clock() - begin
        else:
            idle_in.append(clock() - begin)
    assert [type(r) for r in referee.rulings] == [type(r) for r in game.refereeing.rulings]
    return ruled_in, idle_in


def replay_rate(game: SimulatedGame, events: list[Event]) -> tuple[float, int]:
    """Events a second of `replay`, over the game's own events with ticks of 20 a second between them."""
    lines = [json_line(game.header.as_dict())]
    t = 0.0
    for event in events:
        while t + 0.05 < event.t:
            t += 0.05
            lines.append(json_line({"t": t, "event": "tick"}))
        t = event.t
        lines.append(json_line(to_json(event)))
    plain = [json_line(game.header.as_dict()), *(json_line(to_json(event)) for event in events)]
    rates = []
    for stream in (plain, lines):
        repeats = max(1, 20_000 // len(stream) // PASSES)
        seconds = []
        for _ in range(PASSES):
            begin = time.process_time()
            for _ in range(repeats):
                referee_stream(stream, "bench")
            seconds.append(time.process_time() - begin)
        rates.append(repeats * len(stream) / min(seconds))
    return min(rates), len(plain) - 1


def host_figures() -> list[Figure]:
    """Measure everything."""
    game, frames, events = recorded_game(20.0)
    passes = [refereed(game, frames, events) for _ in range(PASSES)]
    ruled = [min(found[number] for found, _ in passes) for number in passes[0][0]]
    median, p99 = statistics.median(ruled) * 1e3, statistics.quantiles(ruled, n=100)[98] * 1e3
    quiet = min(statistics.median(idle) for _, idle in passes) * 1e6
    rate, count = replay_rate(game, events)
    slow = slowness()
    return [
        Figure("pure Python on this machine, times the reference's time", "", f"{slow:.2f}", None),
        Figure(
            "snapshot read → rulings and pixel bytes, median",
            f"{0.3 * slow:.2f} ms",
            f"{median:.3f} ms; {len(ruled)} snapshots, the best of {PASSES} passes for each",
            median <= 0.3 * slow,
        ),
        Figure("the same, 99th percentile", f"{slow:.1f} ms", f"{p99:.3f} ms", p99 <= 1.0 * slow),
        Figure(
            "snapshot in which nothing changes, median",
            f"{30 * slow:.0f} µs",
            f"{quiet:.1f} µs",
            quiet <= 30 * slow,
        ),
        Figure(
            f"replay (a game of {count} events, and with ticks)",
            f"{2e4 / slow:,.0f} events/s",
            f"{rate:,.0f} events/s",
            rate >= 2e4 / slow,
        ),
        *searching_figures(slow),
        *thinking_figures(slow),
    ]
