"""What the pages show: programs, their output and manifests."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Programs that import anything else are left out, and counted.
KNOWN = {"Combine", "Dispatch", "Foundation", "Hummingbird", "Observation", "Synchronization", "Testing"}
# Interleavings and InterleavingsStreams need flags of the compiler: Scripts/interleavings builds and runs their page.
PRODUCTS = [
    "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "StreamsTesting", "StreamsInspector", "ImageCodecs",
    "StreamImages", "StreamImagesTesting",
]

# What Integrations has, and the packages that its programs import as well.
INTEGRATIONS = [
    "StreamsNIO", "StreamsContext", "StreamsLogging", "StreamsMetrics", "StreamsTracing", "StreamImagesTelemetry", "StreamImagesLifecycle",
    "StreamImagesS3",
]
FETCHED = {
    "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOPosix": "swift-nio", "Logging": "swift-log",
    "ServiceLifecycle": "swift-service-lifecycle", "UnixSignals": "swift-service-lifecycle",
}
PACKAGES = {
    "hummingbird": ("https://github.com/hummingbird-project/hummingbird", "2.28.0"),
    "swift-nio": ("https://github.com/apple/swift-nio", "2.80.0"),
    "swift-log": ("https://github.com/apple/swift-log", "1.6.0"),
    "swift-service-lifecycle": ("https://github.com/swift-server/swift-service-lifecycle", "2.7.0"),
}


class Program:
    def __init__(self, page, number, line):
        self.page, self.number, self.line = page, number, line
        self.snippets, self.expected, self.not_run = [], [], None

    @property
    def name(self):
        words = re.split(r"[^A-Za-z0-9]+", self.page.removesuffix(".md").removeprefix("Docs/"))
        return "".join(word.capitalize() for word in words) + str(self.number)

    @property
    def source(self):
        return "\n\n".join(self.snippets) + "\n"

    @property
    def imports(self):
        return re.findall(r"^ *(?:@testable )?import (\w+)", self.source, re.M)

    @property
    def is_test(self):
        return "Testing" in self.imports

    @property
    def foreign(self):
        return set(self.imports) - KNOWN - set(PRODUCTS) - (set(INTEGRATIONS) | set(FETCHED) if self.integrates else set())

    @property
    def needs_server(self):
        return "Hummingbird" in self.imports

    @property
    def integrates(self):
        return any(name in self.imports for name in INTEGRATIONS)

    @property
    def build(self):
        return "build-server" if self.needs_server else "build-integrations" if self.integrates else "build"

    @property
    def packages(self):
        fetched = {FETCHED[name] for name in self.imports if name in FETCHED}
        return sorted(fetched | ({"hummingbird"} if self.needs_server else set()))

    def dependencies(self):
        names = [f'.product(name: "{name}", package: "Streams")' for name in PRODUCTS if name in self.imports]
        names += [f'.product(name: "{name}", package: "StreamsIntegrations")' for name in INTEGRATIONS if name in self.imports]
        names += [f'.product(name: "{name}", package: "{FETCHED[name]}")' for name in self.imports if name in FETCHED]
        if self.needs_server:
            names.append('.product(name: "Hummingbird", package: "hummingbird")')
        return "[" + ", ".join(names) + "]"

    def target(self):
        kind = "testTarget" if self.is_test else "executableTarget"
        return f'    .{kind}(name: "{self.name}", dependencies: {self.dependencies()}, swiftSettings: settings),\n'


def pages():
    guides = [page for folder in ("Docs", "Docs/moving", "Docs/contributing") for page in sorted((ROOT / folder).glob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *guides]]


def text_of(page):
    return (ROOT / page).read_text()


def blocks(text):
    """The fenced blocks of a page: line, language, text, and the comment before it."""
    language, comment, lines = None, None, []
    for number, line in enumerate(text.split("\n"), 1):
        if language is None:
            if line.startswith("```"):
                language, start, lines = line[3:].strip(), number + 1, []
            elif line.strip():
                match = re.fullmatch(r"<!-- not run: (.+) -->", line.strip())
                comment = match.group(1) if match else None
        elif line.startswith("```"):
            yield start, language, "\n".join(lines), comment
            language = comment = None
        else:
            lines.append(line)


def programs(page, text):
    """The programs of a page, its manifests, and what is wrong with it."""
    found, manifests, mistakes = [], [], []
    previous = None
    for line, language, text, not_run in blocks(text):
        if language == "swift" and text.startswith("// swift-tools-version"):
            manifests.append(text)
        elif language == "swift":
            if re.match(r"(//[^\n]*\n)?(#if canImport\(\w+\)\n *)?(@testable )?import ", text):
                found.append(Program(page, len(found) + 1, line))
            if not found:
                mistakes.append(f"{page}:{line}: the page shows no import before this snippet")
                continue
            found[-1].snippets.append(text)
            found[-1].not_run = found[-1].not_run or not_run
        elif language == "text" and previous in ("swift", "text") and found:
            found[-1].expected.append(text)
        previous = language
    return found, manifests, mistakes


def share_of(text):
    """Takes the K-th of N parts, from 0 on: the pages with the most programs are in different ones."""
    match = re.fullmatch(r"(\d+)/([1-9]\d*)", text)
    if not match:
        raise ValueError(f"{text} is not K/N, such as 0/7")
    number, count = map(int, match.groups())

    def take(pages):
        most = sorted(pages, key=lambda page: (-len(programs(page, text_of(page))[0]), page))
        return most[number % count::count] or ["README.md"]

    return take


def agrees(printed, expected):
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", expected.strip()))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None
