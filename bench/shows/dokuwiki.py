"""A wiki full of traps: the listing, its categories and their pages, and no trap entered.

python -m bench.shows.dokuwiki PAGES [PORT]     PAGES is root/var/lib/dokuwiki/data/pages in the folder; PORT 8802
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bench.shows.proxy import CountingProxy
from bench.shows.sheet import Sheet, timed_run, working_folder

SPEC = """
name: wiki
site: {{threads: 16, per_host: 16, sleep: 0s}}
start: {{listing: "http://127.0.0.1:{port}/doku.php/start"}}
pages:
  listing:
    follow:
      category: {{css: a, include: '/doku.php/*:start', exclude: ['/**?*', 'private:*']}}
  category:
    items:
      category:
        key: url
        fields:
          url: {{from: url}}
          title: '#dokuwiki__content h1'
          sayings: {{css: '#dokuwiki__content', regex: '(\\d+) sayings', type: integer}}
    follow:
      saying: {{css: a, include: '/doku.php/*:saying_*', exclude: '/**?*'}}
  saying:
    items:
      saying:
        key: url
        fields:
          url: {{from: url}}
          title: '#dokuwiki__content h1'
          text: {{css: 'pre.code', type: multiline}}
"""


def main(pages: Path, port: int) -> None:
    sheet = Sheet()
    sheet.title("dokuwiki")
    files = {
        path.relative_to(pages).with_suffix("").as_posix().replace("/", ":"): path for path in pages.rglob("*.txt")
    }
    wanted = {
        "category": {n for n in files if n.endswith(":start") and not n.startswith("private:")},
        "saying": {n for n in files if ":saying_" in n},
    }
    with working_folder() as folder, CountingProxy(port) as proxy:
        ran, seconds = timed_run(folder, SPEC.format(port=proxy.port))
        sheet.figure("run", f"exit {ran.exit}, {seconds:.1f} s, {len(proxy.targets)} requests")
        sheet.figure("most requests in the air", proxy.most_in_air)
        sheet.check("exit 0", ran.exit == 0, ran.stderr[-2000:])
        items = ran.items if ran.exit == 0 else []
        for kind, names in wanted.items():
            found = [item["url"].rsplit("/", 1)[1] for item in items if item["_item"] == kind]
            sheet.figure(f"{kind} pages", len(found))
            sheet.check(f"every {kind} page, none twice", sorted(found) == sorted(names), set(found) ^ names)
        heads = [item["url"] for item in items if item["title"] != heading(files[item["url"].rsplit("/", 1)[1]])]
        sheet.check("each title is the file's", not heads, heads[:3])
        traps = [target for target in proxy.targets if re.search(r"[?&](do|rev|idx|sectok|media)=", target)]
        sheet.check("no trap is entered", not traps, traps[:3])
        sheet.check("nothing is asked twice", len(proxy.targets) == len(set(proxy.targets)))
    sheet.end()


def heading(path: Path) -> str:
    """The first heading of a page's source."""
    found = re.search(r"^=+ (.*?) =+$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8802)
