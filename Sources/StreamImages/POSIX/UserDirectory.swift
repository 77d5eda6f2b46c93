internal import Foundation

/// The directories of the user, from the environment.
package struct UserDirectory {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// `$XDG_CACHE_HOME` or `~/.cache`; `nil` without either.
  package var caches: String? { absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" } }

  /// `$XDG_PICTURES_DIR` or `~/Pictures`; `nil` without either.
  package var pictures: String? { absolute("XDG_PICTURES_DIR") ?? absolute("HOME").map { $0 + "/Pictures" } }

  /// The XDG base directory specification requires ignoring relative paths.
  private func absolute(_ name: String) -> String? {
    environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }
}
