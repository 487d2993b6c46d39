"""``make parts``: a page with pictures of each part, in all moments, languages and themes, for people to look at.

``make parts AGAINST=main`` draws them with another version of `tamsk_hw`, too, on the same computer by the same
browser, and shows those that differ, before and after. Pictures that were drawn elsewhere would differ by fonts.
"""

import os
import subprocess
import sys
import tarfile
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

from tamsk_hw.svg import Theme
from tamsk_hw.system.output import Language
from tests.catalogues import compile_changed
from tests.house import ROOT
from tests.web.moments import MOMENTS, show
from tests.web.site import Site, Visit, chromium

PARTS: Final = ("#headline", "#card-red", "#card-black", "#orders", ".rulings", "#moves", "#board")


def draw(folder: Path) -> None:
    """Draw every part of a page of 1280×720 into a PNG; without scripts, so that nothing moves."""
    folder.mkdir(parents=True)
    with chromium() as browser:
        for moment in MOMENTS:
            site = Site()
            show(site, moment)
            for language, theme in product(Language, Theme):
                settings = {"locale": language.value, "color_scheme": theme.value, "java_script_enabled": False}
                visit = Visit(browser, site.address, **settings)
                with Image.open(BytesIO(visit.page.screenshot())) as whole:
                    for part in PARTS:
                        if found := visit.page.locator(part).bounding_box():
                            x, y = found["x"], found["y"]
                            picture = whole.crop((x, y, x + found["width"], y + found["height"]))
                            picture.save(folder / f"{part[1:]} {moment} {language.value} {theme.value}.png")
                visit.close()
            site.close()


def draw_version(revision: str, folder: Path) -> None:
    """Draw the same with the product of another version, and with the tests of this one."""
    with TemporaryDirectory() as source:
        archive = subprocess.check_output(["git", "archive", revision, "tamsk_hw", "wiring"], cwd=ROOT)
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(source, filter="data")
        command = [sys.executable, "-P", "-m", "tests.web.parts", str(folder)]
        subprocess.run(command, env={**os.environ, "PYTHONPATH": f"{source}:{ROOT}"}, check=True)


def main(folder: Path, against: str = "") -> None:
    """Draw into a folder that is not there yet, and make its page."""
    compile_changed()
    draw(folder)
    names = sorted(path.name for path in folder.iterdir())
    if against:
        draw_version(against, folder / "before")
        contents = {name: [each.read_bytes() for each in folder.rglob(name)] for name in names}
        names = [name for name, found in contents.items() if len({*found}) > 1 or len(found) < 2]
    kept = [each for name in names for each in (f"before/{name}", name) if (folder / each).exists()]
    figures = [f'<figure><img src="{each}"><figcaption>{each}</figcaption></figure>' for each in kept]
    style = "<!doctype html><style>figure { display: inline-block; margin: 8px } img { max-width: 46vw }</style>"
    (folder / "index.html").write_text("".join([style, *figures]), encoding="utf-8")
    print(f"{len(names)} pictures{f' differ from {against}' * bool(against)}: {folder}/index.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
