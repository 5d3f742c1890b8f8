"""`validate` finds what can be known to be wrong, and tells it for people, programs and pull requests."""

from __future__ import annotations

import json

import pytest

from tests.commandline import CommandLine

GOOD = "name: good\nstart: {page: https://a.example/}\npages: {page: {items: {page: {fields: {title: h1}}}}}\n"
BAD = GOOD.replace("fields:", "feilds:").replace("name: good", "name: b/d")


@pytest.fixture
def folder(crawl: CommandLine) -> CommandLine:
    crawl.write(GOOD, "good.yml")
    (crawl.folder / "deep").mkdir()
    crawl.write(BAD, "deep/bad.yml")
    return crawl


def test_a_good_spec_is_valid(folder: CommandLine) -> None:
    checked = folder.command("validate", "good.yml")
    assert (checked.exit, checked.stdout, checked.stderr) == (0, "good.yml: valid\n", "")


def test_all_problems_of_all_files_are_told_at_once(folder: CommandLine) -> None:
    checked = folder.command("validate", ".")
    assert checked.exit == 1
    assert "good.yml: valid" in checked.stdout
    assert "deep/bad.yml:1:7  name" in checked.stdout
    assert 'did you mean "fields"?' in checked.stdout
    assert checked.stderr == ""


def test_as_json(folder: CommandLine) -> None:
    checked = folder.command("validate", "--format", "json", "good.yml", "deep/bad.yml")
    good, bad = json.loads(checked.stdout)["files"]
    assert checked.exit == 1
    assert good == {"file": "good.yml", "valid": True, "problems": []}
    assert bad["valid"] is False
    first = bad["problems"][0]
    assert (first["severity"], first["line"], first["column"], first["path"]) == ("error", 1, 7, "name")
    assert first["what"]
    assert first["fix"]


def test_as_annotations_of_github(folder: CommandLine) -> None:
    checked = folder.command("validate", "--format=github", "deep/bad.yml")
    lines = checked.stdout.splitlines()
    assert checked.exit == 1
    assert lines[0].startswith("::error file=deep/bad.yml,line=1,col=7,title=name::")
    assert "%0Afix%3A" in lines[0] or "%0Afix: " in lines[0]
    assert all(line.startswith("::error ") for line in lines)


def test_where_the_environment_is_not_there(crawl: CommandLine) -> None:
    crawl.write(GOOD + "site: {auth: {bearer: '${env.TOKEN}'}}\n")
    assert crawl.command("validate", "spec.yml").exit == 1
    assert crawl.command("validate", "--without-env", "spec.yml").exit == 0
    assert crawl.command("validate", "spec.yml", env={"TOKEN": "t0ken-t0ken"}).exit == 0


def test_the_flags_of_a_run_hold(crawl: CommandLine) -> None:
    crawl.write(GOOD.replace("https://a.example/", "'https://a.example/${x}'") + "vars: {x: 1}\n")
    assert crawl.command("validate", "spec.yml", "--var", "x=2").exit == 0
    unknown = crawl.command("validate", "spec.yml", "--var", "y=2", "--set", "site.sleep=soon")
    assert unknown.exit == 1
    assert "--set site.sleep" in unknown.stdout


@pytest.mark.parametrize("name", ["gone.yml", "empty"])
def test_what_is_no_spec_is_told(crawl: CommandLine, name: str) -> None:
    (crawl.folder / "empty").mkdir()
    checked = crawl.command("validate", name)
    assert checked.exit == 1
    assert name in checked.output
    assert "Traceback" not in checked.output
