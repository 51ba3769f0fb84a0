"""How numbers in texts go wrong: the examples on which a verdict about numbers is measured."""
