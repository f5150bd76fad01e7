"""What the tests of `honeyguide.mcp` share: a clock that stands still, the scripted server, and a scenario's steps."""
