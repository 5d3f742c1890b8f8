"""Files that items name: fetched whole, kept once, gone on with where they were cut, never half under a final name."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from tests.commandline import CommandLine, Ran
from tests.site import Answer, Hit, Site, html
from tests.site.answer import Wire

SPEC = """
name: minutes
site: {{sleep: 0s, retry: {{times: 2, wait: 10ms}}{site}}}
start: {{list: "{url}"}}
pages:
  list:
    items:
      paper: {{each: li, {rule}fields: {{title: a, file: {{css: a@href, type: file{field}}}}}}}
pipelines: {to}
"""


def bytes_of(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def pdf(body: bytes, **more: str) -> Answer:
    headers = [("Content-Type", "application/pdf"), *((name.replace("_", "-"), value) for name, value in more.items())]
    return Answer(body, headers=headers)


def listing(*paths: str) -> str:
    return "".join(f'<li><a href="{path}">{n}</a></li>' for n, path in enumerate(paths))


def run(
    site: Site,
    crawl: CommandLine,
    *args: str,
    to: str = "out/minutes.jsonl",
    field: str = "",
    rule: str = "",
    more: str = "",
) -> Ran:
    return crawl(SPEC.format(url=site.url(), to=to, field=field, rule=rule, site=more), *args)


def files(ran: Ran) -> dict[str, bytes]:
    folder = ran.folder / "out" / "files"
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()} if folder.is_dir() else {}


def test_the_field_holds_what_was_downloaded(site: Site, crawl: CommandLine) -> None:
    body = bytes_of(1, 300_000)
    digest = hashlib.sha256(body).hexdigest()
    site.pages.update({"/": listing("/papers/M%C3%A4rz%202025.pdf?v=1"), "/papers/M%C3%A4rz%202025.pdf": pdf(body)})
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert ran.lines("out/minutes.jsonl") == [
        {
            "title": "0",
            "file": {
                "path": f"files/{digest}.pdf",
                "name": "März 2025.pdf",
                "url": site.url("/papers/M%C3%A4rz%202025.pdf?v=1"),
                "sha256": digest,
                "bytes": 300_000,
                "media_type": "application/pdf",
            },
        }
    ]
    assert files(ran) == {f"{digest}.pdf": body}
    assert (ran.report["pages"], ran.report["downloads"]) == (1, {"ok": 1})
    assert "files     ok 1" in ran.output


def test_one_file_is_fetched_once_and_kept_once(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = listing("/a.pdf", "/a.pdf", "/same.pdf", "/b.pdf")
    site.pages.update({"/a.pdf": pdf(b"same"), "/same.pdf": pdf(b"same"), "/b.pdf": pdf(b"other")})
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert sorted(site.targets()) == ["/", "/a.pdf", "/b.pdf", "/same.pdf"]
    paths = [item["file"]["path"] for item in ran.lines("out/minutes.jsonl")]
    assert paths[0] == paths[1] == paths[2] != paths[3]
    assert sorted(files(ran).values()) == [b"other", b"same"]


def test_a_failed_download_is_null_and_listed_and_required_rejects(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/a.pdf", "/gone.pdf", "/error.pdf"), "/a.pdf": pdf(b"a")})
    site.pages["/error.pdf"] = html("down", 500)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert [item["file"] and item["file"]["name"] for item in ran.lines("out/minutes.jsonl")] == ["a.pdf", None, None]
    assert sorted((one["url"], one["outcome"], one["via"]) for one in ran.failures) == [
        (site.url("/error.pdf"), "server_error", "pages.list.items.paper.fields.file"),
        (site.url("/gone.pdf"), "not_found", "pages.list.items.paper.fields.file"),
    ]
    assert ran.report["items"]["paper"]["fields"]["file"]["filled"] == 1
    strict = run(site, crawl, "--fresh", field=", required: true")
    assert [item["title"] for item in strict.lines("out/minutes.jsonl")] == ["0"]
    assert "paper 1  (2 rejected)" in strict.output


def test_columns_reach_into_the_record(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/a.pdf", "/none.pdf"), "/a.pdf": pdf(b"abc")})
    to = "{to: out/m.csv, fields: {Title: title, Name: file.name, Size: file.bytes}}"
    ran = run(site, crawl, to=to)
    assert ran.exit == 0, ran.output
    assert (ran.folder / "out/m.csv").read_text(encoding="utf-8") == "Title,Name,Size\n0,a.pdf,3\n1,,\n"


def test_redirects_are_followed_and_two_ways_to_one_file_are_two_items(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/go/1", "/go/2"), "/a.pdf": pdf(b"abc")})
    for n in (1, 2):
        site.pages[f"/go/{n}"] = Answer(b"", 302, [("Location", "/a.pdf")])
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    rows = ran.lines("out/minutes.jsonl")
    assert [row["file"]["url"] for row in rows] == [site.url("/a.pdf")] * 2
    assert len(files(ran)) == 1


def test_files_may_lie_on_other_hosts_and_obey_their_robots(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = listing(site.url("/a.pdf", "files.test"), site.url("/no/b.pdf", "files.test"))
    site.host("files.test").pages["/a.pdf"] = pdf(b"abc")
    site.host("files.test").robots = "User-agent: *\nDisallow: /no/"
    ran = run(site, crawl, more=", private_addresses: allow")
    assert ran.exit == 0, ran.output
    assert [bool(row["file"]) for row in ran.lines("out/minutes.jsonl")] == [True, False]
    assert site.targets("files.test") == ["/a.pdf"]


def test_no_file_leads_to_a_private_address(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = listing("/ok.pdf", site.url("/secret.pdf", "127.0.0.2"))
    site.pages["/ok.pdf"] = pdf(b"a")
    ran = run(site, crawl)
    assert [bool(row["file"]) for row in ran.lines("out/minutes.jsonl")] == [True, False]
    assert site.targets("127.0.0.2") == []


class Ranged:
    """A file whose first answers are cut; the rest can be asked for."""

    def __init__(self, body: bytes, cuts: list[int], validator: str = '"v1"') -> None:
        self.body, self.cuts, self.validator = body, cuts, validator
        self.asked: list[tuple[str | None, str | None]] = []

    def __call__(self, hit: Hit) -> Answer:
        wanted = hit.header("range")
        self.asked.append((wanted, hit.header("if-range")))
        start = (
            int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and hit.header("if-range") == self.validator else 0
        )
        part = self.body[start:]
        head = "HTTP/1.1 206 Partial Content" if start else "HTTP/1.1 200 OK"
        lines = [head, f"ETag: {self.validator}", f"Content-Length: {len(part)}", "Content-Type: application/pdf"]
        if start:
            lines.append(f"Content-Range: bytes {start}-{len(self.body) - 1}/{len(self.body)}")
        sent = part[: self.cuts.pop(0)] if self.cuts else part

        def write(wire: Wire) -> None:
            wire.last("\r\n".join(lines).encode() + b"\r\n\r\n" + sent)

        return Answer(raw=write)


def test_a_cut_download_goes_on_where_it_was_cut(site: Site, crawl: CommandLine) -> None:
    body = bytes_of(2, 1_000_000)
    site.pages["/"] = listing("/big.pdf")
    site.pages["/big.pdf"] = served = Ranged(body, [400_000, 300_000])
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert list(files(ran).values()) == [body]
    assert served.asked == [(None, None), ("bytes=400000-", '"v1"'), ("bytes=700000-", '"v1"')]
    assert ran.report["retries"] == 2
    assert [path.name for path in (ran.folder / "out/files/.parts").iterdir()] == []


def test_a_file_that_has_changed_meanwhile_is_taken_anew(site: Site, crawl: CommandLine) -> None:
    old, new = bytes_of(3, 500_000), bytes_of(4, 400_000)
    served = Ranged(old, [200_000])

    def changing(hit: Hit) -> Answer:
        if served.asked:
            served.body, served.validator = new, '"v2"'
        return served(hit)

    site.pages.update({"/": listing("/big.pdf"), "/big.pdf": changing})
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert list(files(ran).values()) == [new]


@pytest.mark.parametrize("kind", ["etag", "total", "unasked"])
def test_parts_of_two_files_are_never_put_together(site: Site, crawl: CommandLine, kind: str) -> None:
    old, new = bytes_of(6, 300_000), bytes_of(7, 300_000 + (kind == "total"))
    served = Ranged(old, [100_000] if kind != "unasked" else [])

    def odd(hit: Hit) -> Answer:
        if kind == "unasked" and not served.asked:
            served.asked.append((None, None))
            return Answer(
                old[:1000], 206, [("Content-Range", "bytes 0-999/300000"), ("Content-Type", "application/pdf")]
            )
        if hit.header("range"):
            headers = [
                ("Content-Range", f"bytes 100000-{len(new) - 1}/{len(new)}"),
                ("Content-Type", "application/pdf"),
            ]
            return Answer(new[100_000:], 206, [*headers, ("ETag", '"v2"' if kind == "etag" else '"v1"')])
        return served(hit)

    site.pages.update({"/": listing("/big.pdf"), "/big.pdf": odd})
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert list(files(ran).values()) == [old]


@pytest.mark.parametrize("kind", ["no validator", "weak", "wrong range", "416"])
def test_where_the_rest_cannot_be_asked_for_all_of_it_is(site: Site, crawl: CommandLine, kind: str) -> None:
    body = bytes_of(5, 300_000)
    served = Ranged(body, [100_000], {"no validator": "", "weak": 'W/"v1"'}.get(kind, '"v1"'))

    def stubborn(hit: Hit) -> Answer:
        if hit.header("range") and kind == "416":
            return html("no", 416)
        if hit.header("range") and kind == "wrong range":
            headers = [("Content-Range", "bytes 0-299999/300000"), ("Content-Type", "application/pdf")]
            return Answer(body, 206, headers)
        return served(hit)

    site.pages.update({"/": listing("/big.pdf"), "/big.pdf": stubborn})
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert list(files(ran).values()) == [body]


def test_a_file_that_is_too_large_is_left(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/a.pdf", "/big.pdf"), "/a.pdf": pdf(b"abc")})
    site.pages["/big.pdf"] = pdf(bytes_of(6, 3_000_000))
    ran = run(site, crawl, more=", max_file: 1MB")
    assert [bool(row["file"]) for row in ran.lines("out/minutes.jsonl")] == [True, False]
    assert [one["outcome"] for one in ran.failures] == ["too_large"]
    assert len(files(ran)) == 1


def test_files_of_rejected_items_are_not_fetched(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/a.pdf", "/b.pdf"), "/a.pdf": pdf(b"a"), "/b.pdf": pdf(b"b")})
    ran = run(site, crawl, rule="where: \"title == '1'\", ")
    assert ran.exit == 0, ran.output
    assert site.targets() == ["/", "/b.pdf"]


def test_names_are_decoded_and_harmless(site: Site, crawl: CommandLine) -> None:
    given = {
        'attachment; filename="report.pdf"': "report.pdf",
        "attachment; filename*=UTF-8''na%C3%AFve%20%e2%82%ac.pdf; filename=x.pdf": "naïve €.pdf",
        'attachment; filename="..\\..\\etc/passwd"': "passwd",
        'attachment; filename="/etc/shadow"': "shadow",
        'attachment; filename=".."': "5.pdf",
        "attachment": "6.pdf",
        f'attachment; filename="{"x" * 300}.pdf"': "x" * 251 + ".pdf",
        'inline; filename="M\xe4rz.pdf"': "März.pdf",
    }
    site.pages["/"] = listing(*(f"/f/{n}.pdf" for n in range(1, len(given) + 1)))
    for n, field in enumerate(given, 1):
        site.pages[f"/f/{n}.pdf"] = pdf(str(n).encode(), Content_Disposition=field)
    ran = run(site, crawl)
    assert ran.exit == 0, ran.output
    assert [row["file"]["name"] for row in ran.lines("out/minutes.jsonl")] == list(given.values())
    assert {path.parent for path in ran.folder.rglob("*.pdf")} == {ran.folder / "out" / "files"}


def test_killed_again_and_again_every_file_is_whole_and_none_is_half(site: Site, crawl: CommandLine) -> None:
    bodies = {f"/{n}.pdf": bytes_of(n, 60_000 + n) for n in range(40)}
    site.pages["/"] = listing(*bodies)
    for path, body in bodies.items():
        site.pages[path] = Ranged(body, [30_000] if path.endswith("7.pdf") else [])
    site.latency = 0.01
    spec = SPEC.format(url=site.url(), to="out/minutes.jsonl", field="", rule="", site="")
    for kill in range(3):
        before = len(site.log)
        running = crawl.start(spec, *(["--resume"] if kill else []))
        assert running.until(lambda before=before: len(site.log) >= before + 10)
        running.process.kill()
        halted = running.end()
        for name, body in files(halted).items():
            assert hashlib.sha256(body).hexdigest() == Path(name).stem
    ran = run(site, crawl, "--resume")
    assert ran.exit == 0, ran.output
    rows = ran.lines("out/minutes.jsonl")
    assert [row["title"] for row in rows] == [str(n) for n in range(40)]
    assert {row["file"]["sha256"] for row in rows} == {hashlib.sha256(body).hexdigest() for body in bodies.values()}
    assert sorted(files(ran).values()) == sorted(bodies.values())
    assert len(site.targets()) <= 41 + 4 + 3 * 16


def test_a_folder_that_cannot_be_written_stops_the_crawl_with_its_state(site: Site, crawl: CommandLine) -> None:
    site.pages.update({"/": listing("/a.pdf"), "/a.pdf": pdf(b"abc")})
    (crawl.folder / "out").mkdir()
    (crawl.folder / "out" / "files").write_text("in the way")
    ran = run(site, crawl)
    assert ran.exit == 3
    assert "a download cannot be written" in ran.output
    (crawl.folder / "out" / "files").unlink()
    again = run(site, crawl, "--resume")
    assert again.exit == 0, again.output
    assert list(files(again).values()) == [b"abc"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("key: file, ", "file is a file, which comes after the key is known"),
        ("where: file.bytes > `3`, ", "file is a file, which comes after where is judged"),
    ],
)
def test_what_is_asked_of_a_file_too_early_is_refused(site: Site, crawl: CommandLine, rule: str, said: str) -> None:
    ran = run(site, crawl, rule=rule)
    assert ran.exit == 1
    assert said in ran.output
