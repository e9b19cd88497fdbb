"""The report of `firn-render compare`, clicked and typed at in Chromium. Arguments: report_page_input, firn-render."""

import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "page"))
from page_test_case import PageTestCase  # noqa: E402

FRAMES = ["1001", "1002", "1003", "1004"]


def displayed(value):
    """0 to 255 of a linear value: the filmic curve of common/image/view.h, then sRGB."""
    toned = min(1, value * (2.51 * value + 0.03) / (value * (2.43 * value + 0.59) + 0.14))
    return 255 * (12.92 * toned if toned <= 0.0031308 else 1.055 * toned ** (1 / 2.4) - 0.055)


class ReportPage(PageTestCase):
    @classmethod
    def make_page(cls, folder):
        subprocess.run([make_input, folder], check=True)
        cls.values = json.loads((folder / "values.json").read_text())
        page = folder / "report.html"
        result = subprocess.run([program, "compare", cls.values["a"], cls.values["b"], "--report", page,
                                 "--fail-rms", "0.05"], capture_output=True, text=True)
        assert result.returncode == 3, result  # frame 1003 is damaged
        return page

    def setUp(self):
        super().setUp()
        self.go_to("1001")

    # What the page says of itself

    def body(self, name):
        return self.browser.run("return document.body.dataset[arguments[0]]", name)

    def go_to(self, frame):
        self.browser.press("Home", *["Right"] * FRAMES.index(frame))
        self.assertEqual(self.body("frame"), frame)
        for _ in range(100):
            if frame == "1003" or self.body("drawn") == str(FRAMES.index(frame)):
                break
            self.browser.settle()

    def zoom(self):
        return int(self.browser.text("#zoom").split()[0])

    def place(self, x, y):
        """Where the middle of a pixel lies in the window while the picture fits: largest within a margin of 12."""
        left, top, width, height = self.browser.rectangle("#view")
        scale = min((width - 24) / self.values["width"], (height - 24) / self.values["height"])
        return (left + width / 2 + (x + 0.5 - self.values["width"] / 2) * scale,
                top + height / 2 + (y + 0.5 - self.values["height"] / 2) * scale)

    def color(self, x, y):
        """Colour that the canvas shows at a place of the window."""
        left, top, _, _ = self.browser.rectangle("#view")
        script = """const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
            copy.drawImage(document.getElementById("view"), -arguments[0], -arguments[1]);
            return [...copy.getImageData(0, 0, 1, 1).data]"""
        return self.browser.run(script, int(x - left), int(y - top))[:3]

    def of_file(self, frame, take, x, y):
        values = self.values["frames"][frame][take]
        return [values[channel][y * self.values["width"] + x] for channel in "RGB"]

    def expect_color(self, take, frame, x, y):
        for shown, value in zip(self.color(*self.place(x, y)), self.of_file(frame, take, x, y)):
            self.assertAlmostEqual(shown, displayed(value), delta=1)

    def expect_readout(self, frame):
        """The inspector's values are those of the file at the place it names; returns that place."""
        x, y = (int(number) for number in self.browser.text("#pixel-place").split(","))
        rows = [row.split() for row in self.browser.text("#pixel").splitlines()]
        a, b = self.of_file(frame, "a", x, y), self.of_file(frame, "b", x, y)
        for name, values in (("A", a), ("B", b), ("B", [q - p for p, q in zip(a, b)])):
            row = next(r for r in rows if r[0] == name)
            rows.remove(row)
            for text, value in zip(row[-3:], values):
                self.assertAlmostEqual(float(text.replace("−", "-")), value, delta=6e-4 * abs(value) + 1e-9)
        return x, y

    # Tests

    def test_keys_show_a_and_b(self):
        self.go_to("1004")
        for key, take in (("a", "a"), ("b", "b"), ("x", "a"), ("x", "b")):
            self.browser.press(key)
            self.assertEqual(self.body("mode"), take)
            self.expect_color(take, "1004", 40, 60)

    def test_wipe_moves(self):
        self.go_to("1004")
        self.expect_color("a", "1004", 40, 20)
        self.expect_color("b", "1004", 120, 20)
        left, top, width, height = self.browser.rectangle("#view")
        self.browser.drag((left + width / 2, top + height / 2), (left + 0.1 * width, top + height / 2))
        self.expect_color("b", "1004", 40, 20)
        self.browser.press(*["."] * 20)  # 2 % of the width each
        self.expect_color("a", "1004", 40, 20)
        self.browser.click_on("#options [data-id=y]")  # A above, B below
        self.expect_color("a", "1004", 120, 20)
        self.expect_color("b", "1004", 40, 80)
        self.browser.press("w")  # along the diagonal: A at the top left
        self.expect_color("a", "1004", 10, 10)
        self.expect_color("b", "1004", 150, 80)

    def test_values_under_the_pointer_are_the_files(self):
        self.go_to("1002")
        for x, y in ((0, 0), (159, 89), (110, 40), (31, 77)):
            self.browser.point(*self.place(x, y))
            self.assertEqual(self.expect_readout("1002"), (x, y))
        self.browser.point(*self.place(110, 40))
        self.assertIn("times the noise", self.browser.text("#pixel-more"))
        fit = self.zoom()
        self.browser.wheel(*self.place(110, 40), -480)  # four times as close, about that pixel
        self.assertAlmostEqual(self.zoom() / fit, 4, delta=0.05)
        self.browser.point(*self.place(110, 40))
        self.assertEqual(self.expect_readout("1002"), (110, 40))
        x, y = self.place(110, 40)
        self.browser.drag((x, y), (x + 150, y))
        self.browser.point(x + 150, y)  # the picture came along
        self.assertEqual(self.expect_readout("1002"), (110, 40))
        self.browser.press("0")
        self.assertEqual(self.zoom(), fit)

    def test_both_cells_share_the_place(self):
        self.go_to("1004")
        self.browser.press("s")
        left, top, width, height = self.browser.rectangle("#view")
        found = []
        for cell in (0, width / 2):
            self.browser.point(left + cell + width / 4 + 60, top + height / 2 - 40)
            found.append(self.expect_readout("1004"))
        self.assertEqual(found[0], found[1])
        self.assertGreater(found[0][0], 80)
        self.assertLess(found[0][1], 45)

    def test_keys_zoom_pan_and_name_the_pixel_in_the_middle(self):
        self.go_to("1002")
        self.browser.press("1")
        self.assertEqual(self.zoom(), 100)
        self.assertEqual(self.expect_readout("1002"), (80, 45))
        self.browser.press("+", "Shift+Right")
        self.assertEqual(self.zoom(), 125)
        x, y = self.expect_readout("1002")
        self.assertGreater(x, 80)
        self.assertEqual(y, 45)

    def test_plot_and_slider_go_to_frames(self):
        left, top, width, height = self.browser.rectangle("#plot")
        for index, frame in ((3, "1004"), (1, "1002"), (0, "1001")):
            self.browser.click(left + 47 + (width - 55) * index / 3, top + height / 2)
            self.assertEqual(self.body("frame"), frame)
        self.browser.press("End")
        self.assertEqual(self.browser.text("#frame-label").split()[0], "1004")
        self.browser.press("Home")
        self.browser.run("document.getElementById('slider').focus()")
        self.browser.press("Right")
        self.assertEqual(self.body("frame"), "1002")
        for metric in ("rms", "psnr", "significant"):
            self.browser.press("p")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#plot .error').length"), 1)

    def test_frames_beyond_limits_are_found_and_a_damaged_one_is_told(self):
        self.assertIn("2 of 4 frames", self.browser.text("#verdict"))
        self.browser.point(*self.place(40, 40))
        self.browser.press("u")
        self.assertEqual(self.body("frame"), "1003")  # 1002's RMS is 0.04
        self.assertIn("shot.1003.exr", self.browser.text("#message"))
        self.assertEqual(self.browser.text("#pixel-place"), "")
        self.browser.click_on("#verdict")
        self.assertEqual(self.body("frame"), "1004")
        self.assertIn("RMS 0.1", self.browser.text("#notes"))

    def test_difference_signed_and_absolute_with_gain(self):
        self.go_to("1002")
        self.browser.press("d")
        red, green, blue = self.color(*self.place(110, 40))
        self.assertTrue(blue > green > red)  # B is more
        self.assertEqual(self.color(*self.place(40, 40)), [22, 23, 25])
        self.browser.press("d", *["G"] * 12, *["g"] * 5)  # absolute, gain from its least, 1/16, to 2
        self.assertEqual(self.browser.text("#gain-value"), "× 2")
        for shown in self.color(*self.place(110, 40)):  # 0.6, in sRGB 203.4
            self.assertAlmostEqual(shown, 203.4, delta=1)
        self.browser.press("g")
        self.assertEqual(self.color(*self.place(110, 40)), [255, 255, 255])

    def test_maps_show_where(self):
        self.go_to("1002")
        for key, mode in (("h", "flip"), ("n", "noise")):
            self.browser.press(key)
            self.assertEqual(self.body("mode"), mode)
            self.assertGreater(max(self.color(*self.place(110, 40))) - min(self.color(*self.place(110, 40))), 60)
            outside = self.color(*self.place(40, 60))
            self.assertLess(max(outside) - min(outside), 5)
        # 21 standard errors, more than the map's bytes can tell
        self.assertIn("2.778 % significant", self.browser.text("#options"))  # 20 x 20 of 160 x 90

    def test_look(self):
        self.go_to("1002")
        self.browser.press("a", "v", *["e"] * 4)  # sRGB, one stop up
        value = min(1, 2 * self.of_file("1002", "a", 40, 20)[0])
        shown = self.color(*self.place(40, 20))
        self.assertAlmostEqual(shown[0], 255 * (1.055 * value ** (1 / 2.4) - 0.055), delta=1)
        self.browser.press("c")  # red alone, as grey
        self.assertEqual(self.color(*self.place(40, 20)), [shown[0]] * 3)
        self.browser.press("M", "M", "r")
        self.expect_color("a", "1002", 40, 20)

    def test_playback_and_flicker(self):
        self.browser.press("Space")
        seen = set()
        for _ in range(200):
            seen.add(self.body("frame"))
            if len(seen) == len(FRAMES):
                break
        self.browser.press("Space")
        self.assertEqual(seen, set(FRAMES))
        frame = self.body("frame")
        self.browser.settle()
        self.assertEqual(self.body("frame"), frame)
        self.go_to("1004")
        self.browser.press("f")
        tags = set()
        for _ in range(300):
            tags.add(self.browser.run("return document.getElementById('tag-a').hidden"))
            if len(tags) == 2:
                break
        self.assertEqual(len(tags), 2)

    def names_of(self, number, a, b):
        """What the page calls two takes in these folders. Checks the page that was open before, as after a test."""
        self.tearDown()
        folder = pathlib.Path(self.folder.name) / f"names{number}"
        for take, source in ((a, "a"), (b, "b")):
            (folder / take).mkdir(parents=True)
            shutil.copy(pathlib.Path(self.values[source]) / "shot.1001.exr", folder / take)
        subprocess.run([program, "compare", a, b, "--report", "page.html", "--fail-flip", "1"], cwd=folder, check=True,
                       capture_output=True)
        self.page = folder / "page.html"
        self.browser.open(self.page)
        return self.browser.text("#name-a"), self.browser.text("#name-b")

    def test_takes_are_called_by_the_last_folder_in_which_their_paths_differ(self):
        self.assertEqual(self.names_of(1, "out/frames", "wedge/frames/powder"), ("frames", "powder"))
        self.assertEqual(self.names_of(2, "out/one/frames", "out/two/frames"), ("one", "two"))
        self.assertEqual(self.names_of(3, "take", "old/take"), ("take", "old/take"))

    def test_names_and_texts_are_shown_as_they_are(self):
        self.assertEqual(self.browser.text("#name-a"), "<script>isBroken='a'")
        self.assertEqual(self.browser.text("#name-b"), "b\"'&lt;{{script}}")
        self.browser.press("k")
        changes = self.browser.text("#changes")
        self.assertIn("</script><script>window.isBroken = true</script>\"'<img src=x", changes)
        self.assertIn("dx = 0.01\ndx = 0.02", changes)
        self.assertEqual(self.browser.run("return document.querySelectorAll('img').length"), 0)
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("return document.getElementById('changes').open"))

    def test_help_theme_and_inspector(self):
        self.browser.press("?")
        self.assertIn("wipe; again: direction", self.browser.text("#help"))
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("return document.getElementById('help').open"))
        back = "return getComputedStyle(document.body).backgroundColor"
        dark = self.browser.run(back)
        self.browser.press("l")
        self.assertNotEqual(self.browser.run(back), dark)
        width = self.browser.rectangle("#view")[2]
        self.browser.press("i")
        self.assertGreater(self.browser.rectangle("#view")[2], width)

    def test_every_control_is_in_the_window_and_reached_by_tab(self):
        inside = """return [...document.querySelectorAll('button, input, select')].filter((control) => control.checkVisibility())
            .filter((control) => { const r = control.getBoundingClientRect();
              return r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight; }).map((c) => c.outerHTML)"""
        self.assertEqual(self.browser.run(inside), [])
        focused = set()
        for _ in range(40):
            self.browser.press("Tab")
            focused.add(self.browser.run("const e = document.activeElement; return e.id || e.dataset.id || e.tagName"))
        for control in ("a", "flip", "noise", "view", "wipe", "exposure", "play", "slider", "metric", "changes-button"):
            self.assertIn(control, focused)


if __name__ == "__main__":
    make_input, program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], failfast=False)
