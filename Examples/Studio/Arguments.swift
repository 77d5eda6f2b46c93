/// What a command line says: options with a value, and other words.
package struct Arguments: Sendable {
  package struct Mistake: Error {
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  package private(set) var wantsHelp = false
  package private(set) var words: [String] = []
  private var values: [String: String] = [:]

  /// - Parameter options: The options there are, such as `--script`. Each takes a value.
  package init(_ arguments: some Sequence<String>, options: [String]) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case _ where options.contains(word):
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
          throw Mistake("\(word) takes a value")
        }
        values[word] = value
      case _ where word.hasPrefix("-"): throw Mistake("There is no option \(word)")
      case "": throw Mistake("An empty word means nothing")
      default: words.append(word)
      }
    }
  }

  /// The value of an option; the last one, if it was given twice.
  package subscript(option: String) -> String? { values[option] }

  /// For programs that take options only.
  package func refuseWords() throws(Mistake) {
    if let word = words.first { throw Mistake("\(word) means nothing here") }
  }
}
