"""What `try` shows: how often each selector matched."""

from yamlcrawl.engine.trace import Trace
from yamlcrawl.model.tally import selector_keys


def test_a_trace_counts_matches_and_is_a_tally_too():
    trace = Trace()
    for path, matches in (("a", 2), ("b", 0), ("a", 1)):
        trace.saw(selector_keys(path), matches)
    assert trace.matches == {"a": 3, "b": 0}
    assert trace.counts == {"tried:a": 1, "hit:a": 1, "tried:b": 1}
