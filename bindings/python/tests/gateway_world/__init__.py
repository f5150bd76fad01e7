"""What the tests of the gateway share: the program as a child, its client, a scenario's steps, what is expected."""
