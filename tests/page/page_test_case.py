"""What every test of a page has: a folder and a window for all of them, and what no page may do."""

import pathlib
import tempfile
import unittest

from browser import Browser


class PageTestCase(unittest.TestCase):
    """A subclass's make_page(folder) writes the page and returns its path."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.page = cls.make_page(pathlib.Path(cls.folder.name))
        cls.browser = Browser(1280, 720)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.open(self.page)

    def tearDown(self):
        """No errors, no requests but the page's own (pictures within it are addresses too), no markup from names."""
        self.assertEqual(self.browser.errors(), [])
        asked = {address for address in self.browser.requests() if not address.startswith("data:")}
        self.assertEqual(asked, {f"file://{self.page}"})
        self.assertFalse(self.browser.run("return 'isBroken' in window"))
