internal import Foundation

/// Options from a file and from the environment, in the form of a command line.
package enum Settled {
  /// - Parameters:
  ///   - given: The arguments of the program. They are the last, and so they win.
  ///   - environment: `THUMBNAILS_NAME` is the option `--name`. Lists are divided by white space.
  package static func arguments(_ given: [String], _ environment: [String: String]) throws -> [String] {
    let prefix = "THUMBNAILS_"
    var file = environment[prefix + "CONFIGURATION"]
    if let index = given.firstIndex(of: "--configuration"), index + 1 < given.count {
      file = given[index + 1]
    }
    for argument in given where argument.hasPrefix("--configuration=") {
      file = String(argument.dropFirst("--configuration=".count))
    }
    let read = try file.map { try lines(of: $0) } ?? []
    let variables = environment.filter { $0.key.hasPrefix(prefix) && $0.key != prefix + "CONFIGURATION" }
      .sorted { $0.key < $1.key }
      .flatMap { name, value in
        let option =
          "--"
          + name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
        return value.split(whereSeparator: \.isWhitespace).flatMap { words(option, String($0)) }
      }
    return read + variables + given
  }

  private static func lines(of file: String) throws -> [String] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw ConfigurationError("The configuration \(file) cannot be read.")
    }
    return text.split(whereSeparator: \.isNewline).flatMap { line -> [String] in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { return [] }
      let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
      return words("--\(parts[0])", parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil)
    }
  }

  /// Flags have the value `true`, or none.
  private static func words(_ option: String, _ value: String?) -> [String] {
    switch value {
    case nil, "true": [option]
    case "false": []
    case let value?: ["\(option)=\(value)"]
    }
  }
}
