"""The simulated world on the real firmware: an emulated controller in a separate process (firmware/emulator).

- `tamsk_hw.simulator.emulated.build`: the emulator and the firmware, built from a checkout.
- `tamsk_hw.simulator.emulated.process`: the running emulator and its commands.
- `tamsk_hw.simulator.emulated.board`: world and emulated controller, with the calls of the simulated board.
"""
