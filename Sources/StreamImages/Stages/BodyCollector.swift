package import Foundation

/// Collects the bytes of a load, enforces the limit, and reports progress and partial bodies.
package struct BodyCollector {
  package private(set) var data = Data()
  private var shown = 0
  private let limit: Int
  private let expected: Int?
  private let report: (LoadProgress) -> Void
  private let show: ((Data) -> Void)?

  /// - Parameters:
  ///   - expected: The expected number of bytes, if it is known.
  ///   - show: Receives a copy of the bytes so far, at most once for each eighth of the expected number; `nil` if no
  ///     previews are needed.
  package init(
    limit: Int, expected: Int?, report: @escaping (LoadProgress) -> Void, show: ((Data) -> Void)?
  ) {
    self.limit = limit
    self.expected = expected
    self.report = report
    self.show = show
  }

  package mutating func take(_ chunk: Data) throws(DataLoadingError) {
    guard !chunk.isEmpty else { return }
    guard chunk.count <= limit - data.count else { throw .tooLarge(limit: limit, announced: nil) }
    data.append(chunk)
    report(LoadProgress(completed: data.count, total: expected))
    guard let show, let expected, data.count < expected else { return }
    let eighth = Int((Double(data.count) / Double(expected) * 8).rounded(.down))
    guard eighth > shown else { return }
    shown = eighth
    // Copied, because the next append would copy all bytes if they were shared.
    show(data.withUnsafeBytes { Data($0) })
  }
}
