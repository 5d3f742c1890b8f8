"""The queue between fetching and parsing holds back by number and by bytes."""

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
    bodies = Bodies(3, 100)
    for name in "abc":
        bodies.put(Body(1, name))
    assert [bodies.get().name for _ in range(3)] == ["a", "b", "c"]


def test_a_full_queue_holds_the_fetching_back_until_one_is_taken():
    bodies = Bodies(1, 100)
    bodies.put(Body(1, "a"))
    assert not bodies.has_room(Body(1))
    waiting = put_in_thread(bodies, Body(1, "b"))
    waiting.join(0.05)
    assert waiting.is_alive()
    assert bodies.get().name == "a"
    waiting.join(10)
    assert bodies.get().name == "b"


def test_bytes_count_as_well_as_bodies():
    bodies = Bodies(10, 100)
    bodies.put(Body(80))
    assert not bodies.has_room(Body(30))
    assert bodies.has_room(Body(20))


def test_one_body_is_always_let_in_however_large():
    bodies = Bodies(10, 100)
    bodies.put(Body(1000, "huge"))
    assert bodies.get().name == "huge"


def test_close_ends_both_sides_and_drops_what_is_inside():
    bodies = Bodies(1, 100)
    bodies.put(Body(1))
    waiting = put_in_thread(bodies, Body(1))
    bodies.close()
    waiting.join(10)
    assert not waiting.is_alive()
    assert bodies.get() is None
