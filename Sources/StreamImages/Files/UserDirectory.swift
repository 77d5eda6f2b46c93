internal import Foundation

/// Where a user's files are, as the environment says.
package struct UserDirectory {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// `$XDG_CACHE_HOME`, else `~/.cache`; `nil` without either.
  package var caches: String? { absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" } }

  /// `$XDG_PICTURES_DIR`, else `~/Pictures`; `nil` without either.
  package var pictures: String? { absolute("XDG_PICTURES_DIR") ?? absolute("HOME").map { $0 + "/Pictures" } }

  /// A path that is not absolute is to be ignored, says the XDG base directory specification.
  private func absolute(_ name: String) -> String? {
    environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
