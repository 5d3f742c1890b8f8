"""A target that is lost at the end of a run: exit 3, and a resume writes what is left without fetching again."""

from __future__ import annotations

from tests.commandline import CommandLine
from tests.site import Hit, Site

SPEC = """
name: lost
site: {{sleep: 0s}}
start: {{page: "{url}"}}
pages: {{page: {{items: {{row: {{fields: {{title: h1}}}}}}}}}}
pipelines: [good.jsonl, {{to: live.jsonl, mode: append}}, out/lost.jsonl]
"""


def test_a_lost_target_is_written_by_the_resume(site: Site, crawl: CommandLine) -> None:
    out = crawl.folder / "out"
    out.mkdir()

    def page(hit: Hit) -> str:
        out.rmdir()
        out.write_text("in the way")
        return "<h1>a</h1>"

    site.pages["/"] = page
    spec = SPEC.format(url=site.url())
    first = crawl(spec)
    assert first.exit == 3, first.output
    assert "out/lost.jsonl" in first.stderr
    assert "--resume" in first.stderr
    assert "Traceback" not in first.output
    out.unlink()
    out.mkdir()
    plain = crawl(spec)
    assert plain.exit == 1, plain.output
    resumed = crawl(spec, "--resume")
    assert resumed.exit == 0, resumed.output
    assert site.targets() == ["/"]
    for name in ("good.jsonl", "live.jsonl", "out/lost.jsonl"):
        assert resumed.lines(name) == [{"title": "a"}], name
