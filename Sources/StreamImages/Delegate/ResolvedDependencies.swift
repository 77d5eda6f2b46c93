/// The components for a request: those of the delegate, or else those of the configuration.
final class ResolvedDependencies: Sendable {
  private let configuration: ImagePipeline.Configuration

  init(_ configuration: ImagePipeline.Configuration) { self.configuration = configuration }

  var delegate: (any ImagePipelineDelegate)? { configuration.delegate }

  func dataLoader(for request: ImageRequest) -> any DataLoading {
    delegate?.dataLoader(for: request) ?? configuration.dataLoader
  }

  func encoder(for request: ImageRequest) -> any ImageEncoding {
    // A format that the request names is part of its cache keys, so the delegate cannot choose another one.
    if let encoding = request.encoding { return ImageEncoders.Fixed(encoding: encoding) }
    return delegate?.encoder(for: request) ?? configuration.encoder
  }

  func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
    delegate?.imageCache(for: request) ?? configuration.imageCache
  }

  func dataCache(for request: ImageRequest) -> (any DataCaching)? {
    delegate?.dataCache(for: request) ?? configuration.dataCache
  }
}
