"""Tests of the documentation: every example compiles, every command prints what the page says, every link leads on."""
