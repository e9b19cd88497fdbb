"""The page of `firn-sim report`, opened in Chromium. Arguments: firn-sim, and a folder for pictures of the page if wanted."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "page"))
from page_test_case import PageTestCase  # noqa: E402

SHOT = pathlib.Path(__file__).with_name("ball.toml")


class RunPage(PageTestCase):
    @classmethod
    def make_page(cls, folder):
        cls.takes = [folder / "soft", folder / "<img src=x onerror=window.isBroken=1>"]
        for take, hardening in zip(cls.takes, (4, 12)):
            subprocess.run([program, "run", SHOT, "--out", take, "--progress", "none", "--set",
                            f"snow.0.material.hardening={hardening}"], check=True, capture_output=True)
        subprocess.run([program, "report", *cls.takes, "--out", folder / "report.html"], check=True, capture_output=True)
        return folder / "report.html"

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def test_names_are_text(self):
        self.assertIn("<img src=x", self.browser.text("h1.b"))

    def test_previews_are_pictures(self):
        self.assertEqual(self.count("figure"), 12)
        whole = "return [...document.images].every((image) => image.complete && image.naturalWidth > 5 && image.width > 20)"
        self.assertTrue(self.browser.run(whole))

    def test_the_pointer_reads_every_plot_at_its_frame(self):
        self.assertGreaterEqual(self.count(".plot"), 10)
        self.browser.run("document.querySelector('.plot svg').scrollIntoView({ block: 'center' })")
        left, top, width, height = self.browser.rectangle(".plot svg")
        self.browser.point(left + 0.6 * width, top + height / 2)  # frames 1 to 6: 4
        lines = [json.loads(line) for line in (self.takes[0] / "stats.jsonl").read_text().splitlines()]
        text = self.browser.text(".plot:nth-child(2)")
        self.assertIn("frame 4", text)
        self.assertIn(f" {lines[3]['substeps']} ", text)
        self.assertEqual(self.count("figure.chosen"), 2)

    def test_what_differs_between_the_scenes_is_marked(self):
        marked = self.browser.run("return [...document.querySelectorAll('mark')].map((mark) => mark.textContent.trim())")
        self.assertEqual([line.split()[0] for line in marked], ["hardening", "hardening"])

    def test_nothing_is_wider_than_the_window(self):
        for theme in ("light", "dark"):
            self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 1280)
            if pictures:
                import base64
                shot = self.browser.command("Page.captureScreenshot", captureBeyondViewport=True)
                (pathlib.Path(pictures) / f"run-{theme}.png").write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    program, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])
