import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import agrees, programs, share_of

PAGE = """
```swift
// swift-tools-version: 6.1
```

```swift
import Streams
let one = 1
```

More.

```swift
print(one)
```

```text
1
```

<!-- not run: it serves for ever -->

```swift
import Testing
import Hummingbird
```

```sh
swift test
```
"""


class Pages(unittest.TestCase):
    def test_a_snippet_without_an_import_continues_the_program_above(self):
        found, _, _ = programs("Docs/a-page.md", PAGE)
        self.assertEqual([len(each.snippets) for each in found], [2, 1])
        self.assertEqual(found[0].source, "import Streams\nlet one = 1\n\nprint(one)\n")
        self.assertEqual([(each.name, each.line) for each in found], [("APage1", 7), ("APage2", 24)])

    def test_a_block_of_text_after_a_snippet_is_what_its_program_prints(self):
        found, _, _ = programs("README.md", PAGE)
        self.assertEqual([each.expected for each in found], [["1"], []])

    def test_a_comment_before_a_snippet_says_that_its_program_is_only_built(self):
        found, _, _ = programs("README.md", PAGE)
        self.assertEqual([each.not_run for each in found], [None, "it serves for ever"])

    def test_a_manifest_is_no_program(self):
        _, manifests, mistakes = programs("README.md", PAGE)
        self.assertEqual((manifests, mistakes), (["// swift-tools-version: 6.1"], []))

    def test_a_first_snippet_without_an_import_is_a_mistake(self):
        _, _, mistakes = programs("README.md", "```swift\nprint(1)\n```\n")
        self.assertEqual(mistakes, ["README.md:2: the page shows no import before this snippet"])

    def test_imports_decide_how_a_program_is_built(self):
        found, _, _ = programs("README.md", PAGE)
        self.assertEqual([(each.is_test, each.build, each.packages) for each in found],
                         [(False, "build", []), (True, "build-server", ["hummingbird"])])
        foreign, _, _ = programs("README.md", "```swift\nimport Vapor\n```\n")
        self.assertEqual(foreign[0].foreign, {"Vapor"})

    def test_an_ellipsis_stands_for_anything(self):
        self.assertTrue(agrees("a 12 b\nc\n", "a … b\nc"))
        self.assertFalse(agrees("a 12 b\nd\n", "a … b\nc"))
        self.assertFalse(agrees("", "a"))

    def test_a_part_needs_two_numbers(self):
        for text in "0", "1/0", "a/2", "-1/2":
            with self.assertRaises(ValueError):
                share_of(text)


unittest.main()
