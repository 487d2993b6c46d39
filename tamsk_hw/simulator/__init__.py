"""A physical board in software: world, hands, sensors, faults, and a demo's players. Its truth is its own.

- `tamsk_hw.simulator.pty_board.RunningBoard`: a board on a serial port that runs; the fixture `tamsk_board`.
- `tamsk_hw.simulator.world.World`: what hands can do, what eyes can see, and the truth of what happened.
- `tamsk_hw.simulator.board.SimulatedBoard`: world and controller in simulated time, without a port; its faults are
  in `tamsk_hw.simulator.faults`.
- `tamsk_hw.simulator.demo.Demo`: people who play a whole lawful game.
"""
