"""Two cities, three months; the last month of the second city has not come yet."""

OUTPUT = "weather.csv"


def _month(mean: str, rain: str) -> str:
    return f"<table><tr><td class=mean>{mean}<td class=rain>{rain}</table>"


PAGES = {
    "/oslo/2025-01.html": _month("-4.30", "54.1"),
    "/oslo/2025-02.html": _month("−3.9", "trace"),
    "/oslo/2025-03.html": _month("0.6", "47"),
    "/lima/2025-01.html": _month("22.75", "0.8"),
    "/lima/2025-02.html": _month("23.4", ""),
}

ROWS = [
    {"city": "lima", "month": "2025-01", "celsius": "22.75", "rain_mm": "0.8"},
    {"city": "lima", "month": "2025-02", "celsius": "23.4", "rain_mm": ""},
    {"city": "oslo", "month": "2025-01", "celsius": "-4.30", "rain_mm": "54.1"},
    {"city": "oslo", "month": "2025-02", "celsius": "-3.9", "rain_mm": "0"},
    {"city": "oslo", "month": "2025-03", "celsius": "0.6", "rain_mm": "47"},
]
