"""Builds and runs the programs that the pages show: Scripts/newcomer --help explains how."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

from pages import PACKAGES, ROOT, agrees, blocks, pages, programs, share_of, text_of

FOLDER = ROOT / ".build-newcomer"


def run(*command, **options):
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


# Building


def package(name, targets):
    """A package as README's manifest describes it, with a target for each program."""
    # A name needs the import of its module then, also if another import loads that module.
    settings = 'let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]'
    packages = sorted({package for each in targets for package in each.packages})
    extra = "".join(f', .package(url: "{PACKAGES[each][0]}", from: "{PACKAGES[each][1]}")' for each in packages)
    if any(each.integrates for each in targets):
        extra += ', .package(name: "StreamsIntegrations", path: "../Streams/Integrations")'
    folder = FOLDER / name
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    shutil.rmtree(folder / "Tests", ignore_errors=True)
    write(
        folder / "Package.swift",
        f"// swift-tools-version: 6.1\nimport PackageDescription\n\n{settings}\n\n"
        f'let package = Package(\n  name: "{name}",\n  platforms: [.macOS(.v15)],\n'
        f'  dependencies: [.package(name: "Streams", path: "../Streams"){extra}],\n'
        "  targets: [\n" + "".join(each.target() for each in targets) + "  ]\n)\n",
    )
    for each in targets:
        place = f"Tests/{each.name}/Snippet.swift" if each.is_test else f"Sources/{each.name}/main.swift"
        write(folder / place, each.source)
    return folder


def build(name, targets, failed):
    """Builds all that compiles. What does not is taken out, until the rest is built."""
    left, warned = list(targets), set()
    while left:
        folder = package(name, left)
        # The plan may name sources that are gone since.
        for plan in (FOLDER / left[0].build).glob("*.yaml"):
            plan.unlink()
        result = run("swift", "build", "--build-tests", "--scratch-path", str(FOLDER / left[0].build), cwd=folder)
        for line in sorted(set(re.findall(r"^/.*?: (?:error|warning): .*$", result.stdout, re.M))):
            for each in left:
                if f"/{each.name}/" in line:
                    (failed if ": error: " in line else warned).add(each)
                    print(f"{each.page}:{each.line}: {line.split(f'/{each.name}/', 1)[1]}")
        if result.returncode == 0:
            break
        if not failed.intersection(left):
            print(result.stdout)
            failed.update(left)
            return []
        left = [each for each in left if each not in failed]
    failed.update(warned)
    return left


def build_all(everything, failed):
    built = []
    for name, folder in ("Newcomer", "build"), ("Server", "build-server"), ("Integrating", "build-integrations"):
        built += build(name, [each for each in everything if each.build == folder], failed)
    return built


# Running


def run_tests(tests, failed):
    for each in tests:
        result = run(
            "swift", "test", "--skip-build", "--disable-xctest", "--scratch-path", str(FOLDER / "build"), "--filter",
            f"^{each.name}\\.", cwd=FOLDER / "Newcomer")
        if result.returncode or " passed" not in result.stdout or "with 0 tests" in result.stdout:
            failed.add(each)
            print(f"{each.page}:{each.line}: its tests fail\n{result.stdout}")


def run_programs(built, failed):
    place = FOLDER / "run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(ROOT / "Examples/ChainedLoad/Photographs/dandelions.jpg", place / "photo.jpg")
    shutil.copy(ROOT / "Tests/ImageCodecsTests/Files/disposed.gif", place / "animation.gif")
    environment = dict(os.environ, XDG_CACHE_HOME=str(place / "cache"), XDG_PICTURES_DIR=str(place / "pictures"))
    for each in built:
        try:
            result = run(str(FOLDER / each.build / "debug" / each.name), cwd=place, env=environment, timeout=60)
            printed, status = result.stdout, result.returncode
        except subprocess.TimeoutExpired as error:
            printed, status = (error.stdout or b"").decode(), "none after 60 s"
        expected = "\n".join(each.expected)
        if status or expected and not agrees(printed, expected):
            failed.add(each)
            print(f"{each.page}:{each.line}: exit status {status}, printed\n{printed}instead of\n{expected}")


def wrong_manifests(manifests, everything):
    """How many manifests of the pages do not work as they stand there, with the first program of their page."""
    wrong = 0
    for page, texts in manifests.items():
        for number, text in enumerate(texts):
            folder = FOLDER / f"Manifest-{re.sub('[^A-Za-z]', '-', page)}-{number}"
            shutil.rmtree(folder / "Sources", ignore_errors=True)
            write(folder / "Package.swift", text + "\n")
            if "OWNER" in text or 'url: "' in text:
                result = run("swift", "package", "dump-package", cwd=folder)
            else:
                first = next(each for each in everything if each.page == page)
                for name in re.findall(r'executableTarget\(\s*name: "(\w+)"', text):
                    write(folder / f"Sources/{name}/main.swift", first.source)
                result = run("swift", "build", "--scratch-path", str(FOLDER / "build"), cwd=folder)
            if result.returncode:
                wrong += 1
                print(f"{page}: manifest {number + 1}\n{result.stdout}")
    return wrong


def wrong_mirrors(mirrors):
    """How many pages have commands for a mirror that do not work: another script makes the repositories that they need."""
    wrong = 0
    for page in mirrors:
        result = run("Scripts/opencombine", "--check", cwd=ROOT)
        if result.returncode:
            wrong += 1
            print(f"{page}: its commands\n{result.stdout}")
    return wrong


def snippets(programs):
    return sum(len(each.snippets) for each in programs)


def part(text):
    try:
        return share_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from None


def main():
    parser = argparse.ArgumentParser(prog="newcomer", add_help=False)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--no-server", action="store_true")
    parser.add_argument("--part", type=part)
    options = parser.parse_args()
    started = time.monotonic()

    wanted = options.pages or pages()
    if options.part:
        wanted = options.part(wanted)
    everything, mistakes, manifests = [], [], {}
    for page in wanted:
        found, its_manifests, its_mistakes = programs(page, text_of(page))
        everything += found
        mistakes += its_mistakes
        if its_manifests:
            manifests[page] = its_manifests
    if options.no_server:
        everything = [each for each in everything if each.build == "build"]
    left_out = [each for each in everything if each.foreign]
    everything = [each for each in everything if not each.foreign]
    for each in left_out:
        print(f"{each.page}:{each.line}: left out, as it imports {', '.join(sorted(each.foreign))}")
    mirrors = [
        page for page in wanted
        if not options.part and any("Scripts/opencombine " in text for _, _, text, _ in blocks(text_of(page)))
    ]
    total = snippets(everything) + len(mistakes) + sum(map(len, manifests.values())) + len(mirrors)
    print("\n".join(mistakes))
    if options.list:
        for each in everything:
            print(f"{each.name}: {each.page}:{each.line}, {len(each.snippets)} snippets, imports {', '.join(each.imports)}")
        print(f"newcomer: {total} snippets in {len(everything)} programs")
        return 0

    subprocess.run([ROOT / "Scripts/setup"], stdin=subprocess.DEVNULL, check=True)
    FOLDER.mkdir(exist_ok=True)
    # As the pages say: a clone called Streams, beside the package.
    link = FOLDER / "Streams"
    if not link.exists():
        link.symlink_to(ROOT)
    print("newcomer: builds the package as a client does; for the first time this takes minutes", flush=True)

    failed = set()
    built = build_all(everything, failed)
    run_tests([each for each in built if each.is_test], failed)
    wrong = wrong_manifests(manifests, everything) + wrong_mirrors(mirrors)
    run_programs([each for each in built if not (each.is_test or each.not_run or each in failed)], failed)

    good = total - len(mistakes) - wrong - snippets(failed)
    beside = f", {snippets(left_out)} left out" if left_out else ""
    print(
        f"newcomer: {good} of {total} snippets, {snippets(each for each in everything if each.not_run)} of them built only{beside},"
        f" in {len(everything)} programs, {time.monotonic() - started:.0f} s")
    return 0 if good == total else 1


sys.exit(main())
