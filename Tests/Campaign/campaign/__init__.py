"""Attacks on the promises of Passage: see ../README.md."""
