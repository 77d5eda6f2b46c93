extension ImagePipeline {
  /// What the system enforces for the processes that decode the images of this pipeline; `nil` if they are decoded in the program.
  ///
  /// Starts a worker if there is none, and waits for it. Throws ``Error/decodingFailed(_:)`` if there can be none: call it when
  /// your server starts, and print it.
  public func decodingProtections() throws(Error) -> ImageWorker.Protections? {
    do throws(ImageCodecError) {
      return try decode.isolation?.images.protections()
    } catch {
      throw .decodingFailed(error)
    }
  }
}
