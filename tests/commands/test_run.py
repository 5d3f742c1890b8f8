"""`run`: its flags, its exit codes, what it says where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commandline import CommandLine
from tests.site import Site
from yamlcrawl.commands.crash import BugError, kept_in
from yamlcrawl.errors import TargetError
from yamlcrawl.model.secrets import Secrets

SPEC = """
name: test
vars: {{first: '/'}}
site: {{sleep: 0s}}
start:
  page: {origin}${{first}}
pages:
  page:
    follow: {{page: a}}
    items:
      page:
        fields:
          url: {{from: url}}
          title: h1
"""


@pytest.fixture
def spec(site: Site) -> str:
    for n in range(5):
        site.pages[f"/{n or ''}"] = f"<h1>{n}</h1><a href='/{n + 1}'>on</a>"
    site.pages["/5"] = "<h1>5</h1>"
    return SPEC.format(origin=site.url(""))


def titles(lines: str) -> list[str]:
    return [json.loads(line)["title"] for line in lines.splitlines()]


def test_a_trial_writes_items_to_standard_output_and_leaves_no_run(spec: str, site: Site, crawl: CommandLine) -> None:
    for _ in range(2):
        ran = crawl(spec, "--limit", "pages=3")
        assert ran.exit == 0
        assert titles(ran.stdout) == ["0", "1", "2"]
    assert not (ran.folder / "test.jsonl").exists()
    assert not (ran.folder / ".yamlcrawl/test/runs").exists()
    assert len(site.targets()) == 6


def test_a_trial_writes_to_a_target_of_its_own(spec: str, crawl: CommandLine) -> None:
    ran = crawl(spec, "--limit", "pages=2", "--to", "few.jsonl")
    assert (ran.exit, ran.stdout) == (0, "")
    assert titles((ran.folder / "few.jsonl").read_text()) == ["0", "1"]


def test_the_command_line_stands_in_place_of_the_spec(spec: str, site: Site, crawl: CommandLine) -> None:
    ran = crawl(spec, "--var", "first=/4", "--set", "limits.pages=1", "--to", "-")
    assert ran.exit == 0
    assert titles(ran.stdout) == ["4"]
    assert site.targets() == ["/4"]


def test_data_goes_to_standard_output_and_all_else_to_standard_error(spec: str, crawl: CommandLine) -> None:
    ran = crawl(spec, "--to", "-")
    assert len(titles(ran.stdout)) == 6
    assert "politeness" not in ran.stdout
    assert "test: run 1" in ran.stderr


def test_quiet_says_nothing_of_a_good_run(spec: str, crawl: CommandLine) -> None:
    ran = crawl(spec, "--quiet")
    assert (ran.exit, ran.stdout, ran.stderr) == (0, "", "")
    assert len(ran.items) == 6


def test_the_log_for_programs_is_json_on_every_line(spec: str, crawl: CommandLine) -> None:
    ran = crawl(spec, "--log", "json")
    events = [json.loads(line)["event"] for line in ran.stderr.splitlines()]
    assert events[0] == "started"
    assert events[-1] == "finished"
    assert "page_ok" in events


def test_the_time_that_politeness_costs_is_told_with_its_key(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<h1>a</h1>"
    ran = crawl(SPEC.format(origin=site.url("")).replace("sleep: 0s", "sleep: 100ms"))
    assert "1 start request to 1 host: politeness alone takes at least 0.1 s" in ran.stderr
    assert "site.sleep" in ran.stderr


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--join"], "--join is not yet supported in this version"),
        (["--workers", "2"], "--workers is not yet supported"),
        (["--frontier", "redis://h"], "--frontier is not yet supported"),
        (["--cache"], "--cache is not yet supported"),
        (["--accept-drop"], "--accept-drop is not yet supported"),
        (["--resume", "--fresh"], "do not go together"),
        (["--limit", "pages=1", "--resume"], "--limit"),
        (["--limit", "pages"], "--limit"),
        (["--limit", "pages=many"], "limits.pages"),
        (["--var", "nobody=1"], "nobody"),
        (["--set", "site.slep=1s"], 'did you mean "sleep"?'),
        (["--log", "xml"], "--log"),
        (["--resum"], "did you mean --resume?"),
        (["--to", "x.exe"], "x.exe"),
    ],
)
def test_a_wrong_flag_is_told_before_the_first_request(
    spec: str, site: Site, crawl: CommandLine, flags: list[str], words: str
) -> None:
    ran = crawl(spec, *flags)
    assert ran.exit == 1
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
    assert len(site.log.pages(None)) == 0


def test_only_the_variables_that_are_allowed_are_read(site: Site, crawl: CommandLine) -> None:
    site.pages["/"] = "<h1>a</h1>"
    spec = SPEC.format(origin=site.url("")).replace("sleep: 0s", "sleep: 0s, headers: {X-Key: '${env.SOME_KEY}'}")
    environment = {"SOME_KEY": "k3y-k3y-k3y"}
    refused = crawl(spec, "--allow-env", "OTHER,THIRD", env=environment)
    assert refused.exit == 1
    assert "SOME_KEY" in refused.stderr
    assert site.targets() == []
    assert crawl(spec, "--allow-env", "OTHER, SOME_KEY", env=environment).exit == 0


def test_of_several_specs_the_worst_exit_code_stands(spec: str, site: Site, crawl: CommandLine) -> None:
    crawl.write(spec, "good.yml")
    crawl.write(spec.replace("name: test", "name: missed").replace("title: h1", "title: h6"), "missed.yml")
    crawl.write(spec.replace("name: test", "name: failed").replace("first: '/'", "first: /status/404"), "failed.yml")
    codes = [crawl.command("run", "--fresh", *files).exit for files in (
        ["good.yml"],
        ["good.yml", "missed.yml"],
        ["failed.yml", "missed.yml", "good.yml"],
    )]  # fmt: skip
    assert codes == [0, 2, 3]


def test_a_state_folder_that_cannot_be_one_is_refused(spec: str, site: Site, crawl: CommandLine) -> None:
    (crawl.folder / ".yamlcrawl").write_text("in the way")
    ran = crawl(spec)
    assert ran.exit == 1
    assert "the state folder .yamlcrawl/test cannot be written" in ran.stderr
    assert site.targets() == []


def test_a_fault_of_ours_lies_in_the_run_folder_without_secrets(tmp_path: Path) -> None:
    with pytest.raises(BugError) as caught, kept_in(tmp_path, Secrets({"KEY": "s3cr3t-s3cr3t"})):
        raise ZeroDivisionError("while asking with s3cr3t-s3cr3t")
    [kept] = tmp_path.iterdir()
    assert str(kept) in str(caught.value)
    assert "ZeroDivisionError: while asking with ***" in kept.read_text()


def test_what_has_its_words_is_no_fault_of_ours(tmp_path: Path) -> None:
    with pytest.raises(TargetError), kept_in(tmp_path, Secrets()):
        raise TargetError("the disk is full")
    assert list(tmp_path.iterdir()) == []
