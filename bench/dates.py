"""What it costs to read a date or a duration, in microseconds and to `datetime.strptime`.

python -m bench.dates [TIMES]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from yamlcrawl.transforms.dates import compile_date, compile_datetime
from yamlcrawl.transforms.durations import compile_duration

PARIS = ZoneInfo("Europe/Paris")
WAYS: dict[str, Callable[[], object]] = {}


def way(name: str, read: Callable[..., object], *given: object) -> None:
    WAYS[name] = lambda: read(*given)


way("datetime.strptime, %d/%m/%Y", datetime.strptime, "14/03/2025", "%d/%m/%Y")
way("date, ISO 8601", compile_date(), "2025-03-14", 0.0)
way("datetime, ISO 8601, in a zone", compile_datetime(zone=PARIS), "2025-03-14T10:30:15", 0.0)
way("date, %d/%m/%Y", compile_date(written="%d/%m/%Y"), "14/03/2025", 0.0)
way(
    "datetime, %d %B %Y à %Hh%M in fr, in a zone",
    compile_datetime(written="%d %B %Y à %Hh%M", locale="fr", zone=PARIS),
    "14 août 2025 à 09h30",
    0.0,
)
way("date, locale fr, 14/03/2025", compile_date(locale="fr"), "14/03/2025", 0.0)
way("date, locale fr, 14 mars 2025", compile_date(locale="fr"), "14 mars 2025", 0.0)
way("date, locale fr, il y a 3 jours", compile_date(locale="fr"), "il y a 3 jours", 1.7e9)
way("duration, PT1H30M", compile_duration(), "PT1H30M")
way("duration, locale fr, 1 heure et 30 minutes", compile_duration(locale="fr"), "1 heure et 30 minutes")


def cost(read: Callable[[], object], times: int) -> float:
    """Seconds of CPU a call, the best of five rounds; the first call, which loads the words, does not count."""
    read()
    rounds = []
    for _ in range(5):
        begun = time.process_time()
        for _ in range(times):
            read()
        rounds.append((time.process_time() - begun) / times)
    return min(rounds)


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    costs = {name: cost(read, times) for name, read in WAYS.items()}
    first = next(iter(costs.values()))
    print("| what is read | µs | x strptime |\n| --- | --- | --- |")
    for name, seconds in costs.items():
        print(f"| {name} | {seconds * 1e6:.1f} | {seconds / first:.1f} |")


if __name__ == "__main__":
    main()
