"""Runs the scenarios of e2e/oauth in Python."""
