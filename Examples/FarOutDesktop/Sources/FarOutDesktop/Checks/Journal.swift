import Foundation

/// Writes what happens into a file, for a script that looks on: one JSON object in a line.
@MainActor
final class Journal {
  private let file: FileHandle
  private let start = ContinuousClock.now

  init(_ url: URL) throws {
    try Data().write(to: url)
    file = try FileHandle(forWritingTo: url)
  }

  func write(_ event: String, _ values: [String: any Sendable] = [:]) {
    var line = values
    line["event"] = event
    line["seconds"] = (ContinuousClock.now - start) / .seconds(1)
    guard var data = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys) else { return }
    data.append(0x0A)
    try? file.write(contentsOf: data)
  }
}
