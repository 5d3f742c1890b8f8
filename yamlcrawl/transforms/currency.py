"""What is written around an amount for its currency."""

from __future__ import annotations

import re
import unicodedata

from yamlcrawl.transforms.locales import CODES, SIGNS

WORDS = frozenset(
    (
        "baht bd btc chf dh dhs dinar dinars dirham dirhams dollar dollars dong eur euro euros evro forint fr franc "
        "francs franken frs frw gbp hrn inr kc kd kr krona krone kroner kronor kronur koruna lari lei lek leu leva "
        "lira lire liras mt nt ntd peso pesos pln pound pounds rand real reais rbl re ringgit rouble roubles rs rub "
        "ruble rubles rupee rupees rupiah sek sfr shekel shekels soles spl taka tenge tl usd vnd vnđ vt won yen yuan "
        "zl zloty złoty złote złotych đ đồng ƀ ευρω ευρώ грн гривень гривна гривні ден дин динара динари долл евро "
        "лв лева р руб рубль рубля рублей тг тенге сум сом שח ש'ח ש\"ח שקל שקלים تومان تومن جنيه دج درهم دولار دينار "
        "ريال نافكا ش.ج د.ا أردني إماراتي سعودي كويتي مصري र रु ரூ ብር ናቕፋ บาท ლარი 円 圆 圓 元 원 ドル ユーロ"
    ).split()
)
"""Names and short forms that shops write and CLDR has not as a sign; folded, without a full stop at either end."""
_APART = re.compile(r"\b(?:US|AU|CA|NZ|HK|SG|MX) (?=\$)")
_WITH_SIGN = re.compile(r"[A-Za-z]{0,3}\.?(\W)[A-Z]{0,2}")


def is_currency(text: str) -> bool:
    """Whether the text is the sign, the code or an everyday name of a currency, or several of them.

    >>> [is_currency(t) for t in ("$", "US$", "AU $", "CHF", "kr.", "zł", "euro", "EUR €", "R", "ab", "K", "pcs")]
    [True, True, True, True, True, True, True, True, True, False, False, False]
    """
    return all(map(_is_one, _APART.sub("", text).split()))


def _is_one(token: str) -> bool:
    if token in CODES or token in SIGNS:
        return True
    bare = token.strip(".")
    if bare in SIGNS or f"{bare}." in SIGNS or bare.casefold() in WORDS:
        return True
    sign = _WITH_SIGN.fullmatch(token)
    return sign is not None and unicodedata.category(sign[1]) == "Sc"
