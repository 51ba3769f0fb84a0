"""Results are in order, and threads work ahead only a little."""

import threading

import pytest

from numberline.reading.parallel import IN_FLIGHT_PER_THREAD, ordered_map


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(threads):
    first_may_end = threading.Event()

    def square(number):
        if number == 0 and threads > 1:
            assert first_may_end.wait(timeout=30)  # until a later one has ended
        else:
            first_may_end.set()
        return number * number

    assert list(ordered_map(square, range(50), threads)) == [n * n for n in range(50)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_items_are_taken_only_a_little_ahead(threads):
    taken = []
    items = (taken.append(number) or number for number in range(1, 101))
    ahead = [len(taken) - number for number in ordered_map(abs, items, threads)]
    assert max(ahead) == threads * IN_FLIGHT_PER_THREAD


def test_an_error_is_raised_in_place_of_its_result():
    results = ordered_map(lambda number: 1 // (3 - number), range(9), threads=2)
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_waiting_items_are_cancelled_when_the_caller_stops():
    begun, may_go_on = [], threading.Event()

    def wait(number):
        begun.append(number)
        assert number == 0 or may_go_on.wait(timeout=30)

    results = ordered_map(wait, range(100), threads=5)
    next(results)
    threading.Timer(0.1, may_go_on.set).start()
    results.close()
    assert len(begun) <= 1 + 5
