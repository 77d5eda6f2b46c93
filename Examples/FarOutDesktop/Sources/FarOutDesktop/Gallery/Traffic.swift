import Foundation
import StreamImages
import Synchronization

/// Counts what the pipeline does.
final class Traffic: ImagePipelineDelegate {
  struct Numbers: Sendable, Equatable {
    var begun = 0
    var ended = 0
    var cancelled = 0
    var failed = 0
    var fromDisk = 0
    var fromNetwork = 0
    var bytesLoaded = 0

    var inFlight: Int { begun - ended }
  }

  private let state = Mutex(Numbers())

  var numbers: Numbers { state.withLock { $0 } }

  func taskCreated(_ task: ImageTask) { state.withLock { $0.begun += 1 } }

  func task(_ task: ImageTask, didReceive event: ImageTask.Event) {
    guard case .finished(let result) = event else { return }
    state.withLock { numbers in
      numbers.ended += 1
      switch result {
      case .failure(.cancelled): numbers.cancelled += 1
      case .failure: numbers.failed += 1
      case .success(let response):
        if response.cacheSource == nil, response.origin == .network {
          numbers.fromNetwork += 1
          numbers.bytesLoaded += response.byteCount
        } else {
          numbers.fromDisk += 1
        }
      }
    }
  }
}

/// The decoder of the pipeline, which counts, and notices if the main thread has to decode.
final class WatchedDecoder: ImageDecoding {
  private let decoder = ImageDecoders.Default()
  private let counts = Mutex((all: 0, onMainThread: 0))

  var all: Int { counts.withLock { $0.all } }
  var onMainThread: Int { counts.withLock { $0.onMainThread } }

  func canDecode(_ data: Data) -> Bool { decoder.canDecode(data) }
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    try decoder.byteCost(of: data, context)
  }
  func info(of data: Data) -> ImageInfo? { decoder.info(of: data) }

  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    let isMain = Thread.isMainThread
    counts.withLock {
      $0.all += 1
      if isMain { $0.onMainThread += 1 }
    }
    return try decoder.decode(data, context)
  }
}
