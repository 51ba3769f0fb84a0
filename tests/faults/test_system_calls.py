    assert " 0 tries" not in result.stdout
    assert "held, 0 failed" in result.stdout
