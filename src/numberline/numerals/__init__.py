"""Numbers → short rows of weights over a table of prototype vectors."""
