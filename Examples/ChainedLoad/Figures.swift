import Foundation
import Studio

/// How many milliseconds first pictures took when they had to be made, kept beside the cache for later runs.
struct Figures {
  private var milliseconds: [String: Double] = [:]
  private let file: URL?

  /// Without a readable file there is nothing to compare with yet.
  init(in directory: URL?) {
    file = directory?.appendingPathComponent("first-pictures.json")
    guard let file, let data = try? Data(contentsOf: file) else { return }
    milliseconds = (try? JSONDecoder().decode([String: Double].self, from: data)) ?? [:]
  }

  subscript(key: String) -> Double? {
    get { milliseconds[key] }
    set { milliseconds[key] = newValue }
  }

  mutating func removeAll() { milliseconds = [:] }

  func store() {
    guard let file else { return }
    do {
      try JSONEncoder().encode(milliseconds).write(to: file, options: .atomic)
    } catch {
      Console.complain("figures not kept in \(file.path): \(error)")
    }
  }
}
