"""The command line: one module per verb, each a call into the library."""
