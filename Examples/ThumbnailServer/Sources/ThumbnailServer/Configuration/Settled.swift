internal import Foundation

/// Options from a file and from the environment, in the form of a command line.
package enum Settled {
  /// Those that are lists. Other values may contain white space.
  private static let lists: Set = [
    "--allow", "--allow-option", "--bucket", "--formats", "--key", "--preset", "--quality", "--salt",
  ]

  private typealias Setting = (option: String, value: String?)

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
      .filter { !isOfService($0.key, $0.value) }
      .sorted { $0.key < $1.key }
      .flatMap { name, value in
        let option = "--" + name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
        let values =
          lists.contains(option)
          ? value.split(whereSeparator: \.isWhitespace).map(String.init)
          : [value.trimmingCharacters(in: .whitespacesAndNewlines)].filter { !$0.isEmpty }
        return values.map { Setting(option, $0) }
      }
    return (read + variables).reduce(into: []) { add($1, to: &$0) } + given
  }

  /// Kubernetes describes each service to all containers: one of the name `thumbnails` by `THUMBNAILS_SERVICE_HOST`,
  /// `THUMBNAILS_PORT=tcp://10.0.0.1:80`, `THUMBNAILS_PORT_80_TCP_ADDR` and others, as links of Docker do.
  private static func isOfService(_ name: String, _ value: String) -> Bool {
    name.contains(/_SERVICE_(HOST|PORT)|_PORT_[0-9]+_(TCP|UDP|SCTP)/)
      || name.hasSuffix("_PORT") && value.contains("://")
  }

  private static func lines(of file: String) throws -> [Setting] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw ConfigurationError("The configuration \(file) cannot be read.")
    }
    return text.split(whereSeparator: \.isNewline).compactMap { line -> Setting? in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
      return ("--\(parts[0])", parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil)
    }
  }

  /// Flags have the value `true`, or none. The value `false` takes back one that was set before.
  private static func add(_ setting: Setting, to arguments: inout [String]) {
    switch setting.value {
    case nil, "true": arguments.append(setting.option)
    case "false": arguments.removeAll { $0 == setting.option }
    case let value?: arguments.append("\(setting.option)=\(value)")
    }
  }
}
