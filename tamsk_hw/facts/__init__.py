"""Reports to people, as data. `tamsk_hw.words` makes sentences of them."""
