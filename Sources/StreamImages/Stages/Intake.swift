package import Foundation

/// The bytes of a load as they come in: counted, held to the limit, and shown now and then.
package struct Intake {
  package private(set) var data = Data()
  private var shown = 0
  private let limit: Int
  private let expected: Int?
  private let report: (LoadProgress) -> Void
  private let show: ((Data) -> Void)?

  /// - Parameters:
  ///   - expected: How many bytes there are to be, as far as is known.
  ///   - show: Is given a copy of what there is, at each eighth of what is expected; `nil` if nobody wants it.
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
    // A copy that shares nothing: else the next chunk would make one, of all there is, each time.
    show(data.withUnsafeBytes { Data($0) })
  }
}
