internal import Foundation
internal import Streams

/// The steps of the flow: each runs a stage and measures it.
extension ImagePipeline {
  func stored<Output: JobValue>(_ source: FlowStep<Output>, _ request: ImageRequest) -> FlowStep<Output> {
    guard request.options.contains(.waitForStorage) else { return source }
    return source.inTurn { [store] output in
      .task { () throws(Error) in
        await store.flush()
        return output
      }
    }
  }

  /// image ─▶ process
  func processed(
    _ material: DecodedImage, by processor: any ImageProcessing, _ request: ImageRequest,
    _ job: DynamicPriority
  ) async throws(Error) -> DecodedImage {
    try await instruments.measure(.process, request) { () throws(Error) in
      try await process(material, by: processor, for: request, job)
    }
  }

  /// original ─▶ decode
  func decoded(
    _ encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ job: DynamicPriority
  ) async throws(Error) -> DecodedImage {
    try await instruments.measure(.decode, request) { () throws(Error) in
      try await decode(encoded, for: request, target: target, session, job)
    }
  }

  /// A number that separates jobs. Unique for each job if work is not shared; otherwise that of the last removal of some places, so
  /// that no request for them joins a job that began before.
  func number(_ places: @autoclosure () -> [StorePlace]) -> UInt64? {
    configuration.isCoalescingEnabled ? permits.lastRemoval(of: places) : WaitingTaskID.next()
  }
}

extension ImagePipeline.Error {
  static var badURL: Self { .dataLoadingFailed(.badURL("")) }
}

extension DecodedImage {
  func found(in source: CacheSource) -> DecodedImage {
    var found = self
    found.hit = source
    return found
  }
}

extension ImageRequest {
  var notFromDisk: ImageRequest {
    var request = self
    request.options.insert(.disableDiskCacheReads)
    return request
  }
}
