"""The driver of the speed bench: prepares engines, runs them in turns, and shows what came of it."""
