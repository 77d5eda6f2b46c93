package import ImageCodecs
internal import Foundation
internal import Streams

/// Says once that images are decoded in the program, because no worker can be started.
package struct FallbackNotice: Sendable {
  package static let shared = FallbackNotice { FileHandle.standardError.write(Data($0.utf8)) }

  private let output: @Sendable (String) -> Void
  private let isWritten = Guarded(false)

  package init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

  package func write(_ reason: IsolationFailure) {
    let isFirst = isWritten.withLock { isWritten in
      defer { isWritten = true }
      return !isWritten
    }
    guard isFirst else { return }
    output(
      """
      StreamImages decodes HEIC, AVIF, JPEG XL and TIFF in this program, and not in worker processes: \(reason). \
      If that is intended, set decodingIsolation to .none.

      """)
  }
}
