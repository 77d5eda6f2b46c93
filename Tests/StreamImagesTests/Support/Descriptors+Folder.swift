import Foundation

extension Descriptors {
  /// How many files and directories at or below a path are open here, deleted ones included.
  static func count(under path: String) -> Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let targets = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
    return targets.count { $0.hasPrefix(path) }
  }
}
