extension ImagePipeline {
  /// Returns the restrictions that the system enforces for the processes that decode images of this pipeline. Returns
  /// `nil` if all images are decoded in the program by its configuration.
  ///
  /// Starts a worker if there is none, and waits for it. Throws ``Error/decodingFailed(_:)`` if no worker can be
  /// started. Call it when your server starts, and print the result.
  public func decodingProtections() throws(Error) -> ImageWorker.Protections? {
    do throws(ImageCodecError) {
      return try decode.isolation?.images.protections()
    } catch {
      throw .decodingFailed(error)
    }
  }

  /// The number of worker processes that were started for images and drawings of this pipeline. 0 without isolation.
  ///
  /// If it grows with each image, workers crash or are replaced: see `error.code` of the failures.
  public var startedWorkerCount: Int { decode.isolation?.startedWorkerCount ?? 0 }
}
