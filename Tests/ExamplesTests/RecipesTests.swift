import StreamImages
import Testing

@Suite("Recipes", .timeLimit(.minutes(20)))
struct RecipesTests {

  @Test("Recipes lists all recipes with their purpose")
  func list() throws {
    let program = try Program("Recipes", [])
    let lines = program.lines()

    #expect(lines.map { $0.split(separator: " ").first.map(String.init) } == Self.said.map(\.0))
    #expect(lines.allSatisfy { $0.split(separator: " ").count > 4 })
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test("Each recipe prints the expected output", arguments: said)
  func each(name: String, lines: [String]) throws {
    let program = try Program("Recipes", [name])

    #expect(program.lines() == lines)
    #expect(program.status() == 0, "\(program.errors())")
    #expect(program.errors() == "")
  }

  @Test("Recipes refuses an unknown recipe")
  func unknown() throws {
    let program = try Program("Recipes", ["lowThenHigh", "soup"])

    #expect(program.lines().isEmpty)
    #expect(program.status() == 2)
    #expect(program.errors() == "Recipes: There is no recipe soup. Try --help.\n")
  }

  /// What each of them says.
  static let said: [(String, [String])] = [
    ("lowThenHigh", ["60 × 40", "240 × 160", "again: 240 × 160", "without low: 240 × 160"]),
    (
      "firstAvailable",
      [
        "the first: painting-1.png", "asked for: missing.png, painting-1.png", "the fastest: painting-2.png",
        "of none: a failure",
      ]
    ),
    (
      "staleWhileRevalidate",
      [
        "nothing in the caches: 240 × 160 from network", "nothing new: 240 × 160 from memory",
        "something new: 240 × 160 from memory", "something new: 120 × 80 from network",
      ]
    ),
    ("severalAtOnce", ["240 × 160, none, 240 × 160"]),
    ("retry", ["240 × 160 after 3 requests", "what is missing: asked for 1 time"]),
    ("activity", ["the indicator rests", "the indicator turns", "the indicator rests", "under way: 0"]),
    (
      "reusedCell",
      ["the cell shows 32 × 32", "the cell shows 240 × 160", "the first load was given up"]
    ),
    ("lowData", ["spared: 60 × 40", "not spared: 240 × 160", "spared, but in memory: 240 × 160"]),
    ("atOnce", ["not in memory: nothing yet", "in memory: 240 × 160"]),
    ("failureImage", ["240 × 160, fill", "32 × 32, fit"]),
    (
      "progressive",
      ["a preview: 240 × 160, some of its bytes", "the image: 240 × 160, all of its bytes"]
    ),
    ("placeholder", ["the placeholder: 32 × 23", "the image: 60 × 40", "the image: 240 × 160"]),
    ("fallback", ["240 × 160 from painting-1.png"]),
    (
      "timeout",
      [
        "after five seconds: The image could not be loaded: The load timed out before it was complete.",
        "the server: the client has left",
      ]
    ),
    (
      "prefetch",
      [
        "painting-1.png: loaded", "painting-2.png: loaded", "missing.png: failed",
        "painting-1.png: there already", "240 × 160 from memory",
      ]
    ),
    (
      "search",
      [
        "painting-42: 240 × 160", "painting-41: nothing", "asked for: painting-42.png, painting-41.png",
      ]
    ),
    ("visibleSize", ["120 × 80", "160 × 107", "2 images in memory"]),
    (
      "collage",
      ["0 picked, nothing to show"] + (1...6).map { "\($0) picked, a collage of 120 × 80" } + [
        "that is all: six are picked"
      ]
    ),
    (
      "save",
      [
        "the album: saved as Sunset.jpg", "the log: saved as Sunset.jpg",
        "nowhere: The photo could not be saved: Photos cannot be added to /dev/null/Pictures: "
          + "Not a directory.",
      ]
    ),
    (
      "authorization",
      ["the albums are shown", "no access to the photographs", "and back, after a moment"]
    ),
    ("batch", ["11 of 12; without the one at [4]", "at most 4 at a time"]),
    ("refresh", ["look 1: 240 × 160", "look 3: 120 × 80", "asked 3 times, shown twice"]),
    ("cachedVariant", ["in the meantime: 60 × 40", "the image: 240 × 160"]),
    (
      "animation",
      [
        "16 × 16, played for ever: true", "#. .. for 0.25 seconds", ".# .. for 0.25 seconds",
        ".. .# for 0.25 seconds", ".. #. for 0.25 seconds",
      ]
    ),
    (
      "drawing",
      ["without its decoder: pipeline.not-an-image.xml"]
        + ((try? SVGDecoder()) == nil
          ? ["librsvg is not installed"] : ["at its size: 24 × 16", "ten times as large: 240 × 160"])
    ),
  ]
}
