"""The driver of the quality bench: prepares engines, has them rank the sets, and shows how well they did.

What it shares with the speed bench (folders, environments, progress) it takes from there.
"""
