import Foundation
import StreamImages
import StreamsExtras
import Synchronization

/// A trace of a whole run: the signals of all streams, and the steps of the images.
@MainActor
final class Trace {
  private let trace: PerfettoTrace
  private let file: FileHandle
  /// Why a part could not be written.
  private let failure: Failure
  private var steps: AnyCancellable?

  init(to url: URL) throws {
    try Data().write(to: url)
    let (file, failure) = (try FileHandle(forWritingTo: url), Failure())
    (self.file, self.failure) = (file, failure)
    trace = PerfettoTrace { part in
      do { try file.write(contentsOf: Data(part.utf8)) } catch { failure.store(error) }
    }
    trace.enable()
  }

  /// Adds the steps of each image, from now on.
  func add(_ pipeline: ImagePipeline) {
    steps = pipeline.stageEvents.sink(
      receiveValue: { [trace] event in
        trace.addSlice(
          "\(event.stage)", track: "images", start: event.start, duration: event.duration,
          details: ["image": event.request.imageID ?? "\(event.request)", "outcome": "\(event.outcome)"])
      }, isolation: nil)
  }

  /// Writes the rest.
  ///
  /// - Throws: The first error of a part that could not be written.
  func finish() throws {
    steps = nil
    trace.finish()
    try failure.check()
    try file.close()
  }
}

/// The first error of several threads.
private final class Failure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func store(_ error: any Error) { self.error.withLock { $0 = $0 ?? error } }
  func check() throws { if let error = error.withLock({ $0 }) { throw error } }
}
