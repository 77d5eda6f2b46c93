/// What `Operators/CheckedOperators.swift` of a module has to be: each operator that takes plain closures, once more with
/// closures that must be `sending`.
struct CheckedOperators {
  /// All of it, not formatted.
  let text: String
  let count: Int

  init(_ sources: [TextFile], of module: String) {
    var extensions: [(head: String, members: [String])] = []
    // The closures of subscribers run on the actor of the call, so they need not be sent.
    let operators = sources.filter {
      $0.path.isIn("Sources/\(module)") && !$0.path.isIn("Sources/Streams/Subscribers")
        && $0.path != Self.path(of: module)
    }
    for source in operators {
      var head: String?
      var attributes: [String] = []
      var lines = source.lines[...]
      while let line = lines.popFirst() {
        if line.first?.isLetter == true { head = nil }
        if line.hasPrefix("extension ") { head = Self.head(line, &lines) }
        if line.hasPrefix("  @") { attributes.append(line) }
        if line.hasPrefix("  public func "), let head {
          let function = Self.function(line, &lines)
          for (comment, function) in Self.checked(function) {
            if extensions.last?.head != head { extensions.append((head, [])) }
            let member = (["  /// \(comment)"] + attributes + [function]).joined(separator: "\n")
            extensions[extensions.count - 1].members.append(member)
          }
        }
        if !line.hasPrefix("  @") { attributes = [] }
      }
    }
    count = extensions.map(\.members.count).reduce(0, +)
    let parts = extensions.map { "\($0.head) {\n\($0.members.joined(separator: "\n\n"))\n}" }
    text = "\(Self.introduction)\n#if CheckedTransforms\n\(parts.joined(separator: "\n\n"))\n#endif\n"
  }

  static let modules = ["Streams", "StreamsExtras"]

  static func path(of module: String) -> String { "Sources/\(module)/Operators/CheckedOperators.swift" }

  static let paths = Set(modules.map(path))

  static let introduction = """
    // Long, since it has every operator that takes a closure. `Scripts/checked-operators` writes it, from the operators.
    //
    // With the trait `CheckedTransforms`, these are called instead of the plain ones. They do the same; but a closure that
    // belongs to an actor, or shares what it captures with other code, does not compile. They are preferred as they ask for
    // `SendableMetatype`, which every type conforms to that is not a generic parameter.

    """

  /// The extension, for types whose operators the compiler is to prefer; `nil` if it has no operators.
  private static func head(_ first: String, _ lines: inout ArraySlice<String>) -> String? {
    var head = first
    while !head.hasSuffix("{"), let line = lines.popFirst() { head += " " + line.trimmed }
    guard let match = head.prefixMatch(of: #/extension (?:Publisher|(?:More)?Publishers\.(?!Sequence)\w+)\b/#)
    else {
      return nil
    }
    let subject = match.output == "extension Publisher" ? "Self" : "Upstream"
    let constraint = "where \(subject): SendableMetatype"
    return
      (head.contains(" where ")
      ? head.replacing(" where ", with: " \(constraint), ") : head.dropLast() + constraint)
      .trimmingBrace
  }

  private static func function(_ first: String, _ lines: inout ArraySlice<String>) -> String {
    var function = first
    while !(function.hasSuffix("}") && function.depth == 0), let line = lines.popFirst() {
      function += "\n" + line
    }
    return function
  }

  /// The function with `sending` closures, and one with a key path: a key path that becomes a closure cannot be sent.
  private static func checked(_ function: String) -> [(comment: String, function: String)] {
    guard let body = function.firstRange(of: #/ \{\n/#) else { return [] }
    let signature = String(function[..<body.lowerBound])
    let sending = signature.replacing(#/: (@escaping \(|\(\()/#) { ": sending \($0.output.1)" }
    guard sending != signature else { return [] }
    var functions = [
      ("As without the trait; its closures must be `sending`.", sending + function[body.lowerBound...])
    ]
    let unary = #/(\w+): @escaping \(Output\) -> (\w+\??)(?=[),\n])/#
    if !signature.contains("throws"), let match = signature.firstMatch(of: unary) {
      let (name, result) = (match.output.1, match.output.2)
      let rest = String(function[body.upperBound...])
      let keyed =
        signature.replacing(unary) { _ in "\(name): KeyPath<Output, \(result)>" }
        + " {\nlet path = \(name)\nlet \(name): (Output) -> \(result) = { $0[keyPath: path] }\n"
        + (rest.contains("    return ") ? rest : "return \(rest.trimmed)")
      functions.append(("The same with a key path.", keyed))
    }
    return functions
  }
}

extension StringProtocol {
  /// How many braces and parentheses are open at the end.
  fileprivate var depth: Int { count { "{(".contains($0) } - count { "})".contains($0) } }

  fileprivate var trimmingBrace: String {
    var text = String(self)
    while text.last == "{" || text.last == " " { text.removeLast() }
    return text
  }
}
