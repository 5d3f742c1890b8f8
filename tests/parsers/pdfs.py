"""Small PDF files, made by hand."""

from __future__ import annotations

IMAGE = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"


def made(*pages: str, image: bool = False) -> bytes:
    """A PDF with a text on each page, line by line; an empty page shows an image where `image` says so."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = [b"", font, IMAGE + b"\nstream\n\x00\nendstream"]
    kids = []
    for text in pages:
        lines = " 0 -16 Td ".join(f"({line}) Tj" for line in text.splitlines())
        content = f"BT /F1 12 Tf 72 720 Td {lines} ET".encode("latin-1") if text else b"/I Do" if image else b""
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        resources = b"<< /Font << /F1 2 0 R >> %s >>" % (b"/XObject << /I 3 0 R >>" if image else b"")
        objects.append(
            b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Resources %s /Contents %d 0 R >>"
            % (2 * len(pages) + 4, resources, len(objects))
        )
        kids.append(len(objects))
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects.append(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(pages)))
    objects[0] = b"<< /Type /Catalog /Pages %d 0 R >>" % len(objects)
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    xref = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(places) + 1, table)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, len(body))
    return body + xref + trailer
