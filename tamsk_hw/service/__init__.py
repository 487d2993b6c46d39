"""The running program: ties board, referee, panel and simulator together."""
