"""The queue between fetching and parsing is bounded by bytes."""

import threading
from dataclasses import dataclass

from yamlcrawl.engine.bodies import Bodies


@dataclass(frozen=True)
class Body:
    size: int
    name: str = ""


def put_in_thread(bodies: Bodies[Body], body: Body) -> threading.Thread:
    thread = threading.Thread(target=bodies.put, args=(body,), daemon=True)
    thread.start()
    return thread


def test_bodies_come_out_in_order():
    bodies = Bodies(1, 100)
    for name in "abc":
        bodies.put(Body(1, name))
    assert [bodies.get().name for _ in range(3)] == ["a", "b", "c"]


def test_too_many_bytes_hold_the_fetching_back_until_a_body_is_taken():
    bodies = Bodies(1, 100)
    bodies.put(Body(80, "a"))
    waiting = put_in_thread(bodies, Body(30, "b"))
    waiting.join(0.05)
    assert waiting.is_alive()
    assert bodies.get().name == "a"
    waiting.join(10)
    assert bodies.get().name == "b"


def test_one_body_is_always_let_in_however_large():
    bodies = Bodies(1, 100)
    bodies.put(Body(1000, "huge"))
    assert bodies.get().name == "huge"


def test_close_ends_both_sides_and_drops_what_is_inside():
    bodies = Bodies(2, 100)
    bodies.put(Body(100))
    waiting = put_in_thread(bodies, Body(1))
    bodies.close()
    waiting.join(10)
    assert not waiting.is_alive()
    assert [bodies.get(), bodies.get()] == [None, None]
