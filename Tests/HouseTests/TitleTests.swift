import Foundation
import Testing

/// A title is read alone, in the log of a failure: it is a whole sentence, without the name of its suite.
@Suite("Test titles")
struct TitleTests {
  private struct Title {
    let path: String
    let text: String

    var firstWord: String {
      let word = text.prefix { !$0.isWhitespace }
      return word.lowercased().trimmingCharacters(in: .punctuationCharacters)
    }
  }

  /// Words with which no whole sentence begins: each continues the name of a suite.
  private static let continuations: Set<String> = [
    "is", "are", "has", "have", "does", "do", "can", "cannot", "may", "that", "which", "who", "whose", "what",
    "of", "with", "not", "and", "but", "or", "never", "about",
  ]

  /// Verbs with which titles began whose subject was the name of the suite. Words that are plural nouns as
  /// well, such as "requests", are left out.
  private static let verbs: Set<String> = [
    "adds", "agrees", "asks", "assigns", "awaits", "becomes", "begins", "brings", "cancels", "carries",
    "collects", "combines", "comes", "compares", "compresses", "connects", "converts", "decodes",
    "delivers", "disconnects", "drops", "fails", "finds", "finishes", "fits", "follows", "forgets",
    "gets", "gives", "goes", "happens", "hears", "holds", "ignores", "iterates", "keeps", "knows",
    "leaves", "lets", "listens", "lives", "loses", "makes", "moves", "multiplies", "observes", "opens",
    "passes", "publishes", "puts", "recovers", "refuses", "releases", "remembers", "replaces", "resets",
    "resolves", "returns", "saves", "says", "sees", "sends", "serves", "speaks", "spells", "stands",
    "starts", "stays", "stops", "subscribes", "survives", "takes", "tells", "throws", "waits",
    // Of a suite whose name is a plural.
    "become", "create", "deliver", "follow", "give", "keep", "leave", "make", "send", "survive", "take",
  ]

  private static let files = Repository.swift.filter {
    $0.path.isIn("Tests") || $0.path.isIn("Integrations/Tests")
  }
  private static let titles = files.flatMap { literals(after: "@Test(", in: $0) }
  private static let suites = files.flatMap { literals(after: "@Suite(", in: $0) }

  @Test("Each test title begins with a capital letter, a digit or a backtick")
  func beginnings() {
    let wrong = Self.titles.filter { $0.text.prefixMatch(of: /[\p{Lu}0-9`]/) == nil }

    #expect(Self.titles.count > 1_000)
    #expect(places(wrong) == [], "Put a name that is spelled in lower case in backticks.")
  }

  @Test("No test title begins with a catalogue code")
  func codes() {
    let code = #/[A-Z][A-Z0-9]*[0-9][0-9A-Za-z.\-]*[:,] /#
    let wrong = Self.titles.filter { $0.text.prefixMatch(of: code) != nil }

    #expect(places(wrong) == [], "Remove the code.")
  }

  @Test("Each test title has at least three words and no full stop at its end")
  func lengths() {
    let wrong = Self.titles.filter { $0.text.split(separator: " ").count < 3 || $0.text.hasSuffix(".") }

    #expect(places(wrong) == [], "A title has a subject, a verb and an expectation.")
  }

  @Test("No test title begins with the verb of an unfinished sentence")
  func fragments() {
    let wrong = Self.titles.filter { title in
      Self.continuations.contains(title.firstWord) || Self.verbs.contains(title.firstWord)
    }

    #expect(places(wrong) == [], "The subject is missing.")
  }

  @Test("Each suite name begins with a capital letter, a digit or a backtick")
  func names() {
    let wrong = Self.suites.filter { $0.text.prefixMatch(of: /[\p{Lu}0-9`]/) == nil }

    #expect(Self.suites.count > 100)
    #expect(places(wrong) == [], "A suite has the name of a type or a feature.")
  }

  private func places(_ titles: [Title]) -> [String] { titles.map { "\($0.path): \($0.text)" } }

  /// The strings that follow an attribute at once, on its line or the next, outside of comments.
  private static func literals(after attribute: String, in file: TextFile) -> [Title] {
    let text = file.lines.filter { !$0.trimmed.hasPrefix("//") }.joined(separator: "\n")
    return text.components(separatedBy: attribute).dropFirst().compactMap { rest in
      rest.prefixMatch(of: /\s*"((?:[^"\\\n]|\\.)*)"/).map { Title(path: file.path, text: String($0.1)) }
    }
  }
}
