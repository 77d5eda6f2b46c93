public import Foundation
public import Streams

extension ImageRequest {
  /// A request for what is at a URL. Without one, loading fails with a bad URL.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = []
  ) {
    self.init(
      source: url.map { .address(DataRequest(url: $0)) } ?? .missing, processors: processors,
      priority: priority, options: options)
  }

  /// A request with a method and headers.
  public init(
    _ request: DataRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    self.init(source: .address(request), processors: processors, priority: priority, options: options)
  }

  /// A request for bytes that a closure gets from somewhere: a database, an archive, a loader of your own.
  ///
  /// The closure runs once nothing is found in the caches, on a thread of the pool of tasks, and its task is
  /// cancelled with the request. What it throws is ``ImagePipeline/Error/sourceFailed(_:)``. Its bytes are kept on
  /// disk as if they came from the network.
  ///
  /// `id` is what the caches know the bytes by. Requests of one `id` share the work of one closure.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) {
    let supply: DataSupply = { take in try take(try await data()) }
    self.init(
      source: .data(NamedSource(id, supply)), processors: processors, priority: priority, options: options)
  }

  /// A request for bytes that a publisher sends, piece by piece.
  ///
  /// As with a closure: `publisher` is called when it is needed. What it returns is asked for a piece at a time, and
  /// cancelled with the request; one that ends without a byte fails with ``ImagePipeline/Error/dataIsEmpty``.
  public init<Source: Publisher & SendableMetatype>(
    id: String, publisher: @escaping @Sendable () -> Source, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) where Source.Output == Data {
    let supply: DataSupply = { take in
      for try await piece in publisher().values(buffering: .prefetching(1)) { try take(piece) }
    }
    self.init(
      source: .data(NamedSource(id, supply)), processors: processors, priority: priority, options: options)
  }

  /// A request for a picture that a closure makes or gets: from a drawing, a map, a video.
  ///
  /// There is nothing to decode, and there are no bytes to keep: what is on disk of it is the picture as it was
  /// delivered, if the policy says so. ``scale`` and ``thumbnail`` are applied to what the closure returns.
  public init(
    id: String, image: @escaping @Sendable () async throws -> Image, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) {
    self.init(
      source: .image(NamedSource(id, image)), processors: processors, priority: priority, options: options)
  }

  /// What is loaded; `nil` if nothing is, as the request has a closure instead.
  package var address: DataRequest? {
    get { if case .address(let request) = source { request } else { nil } }
    set { source = newValue.map { .address($0) } ?? .missing }
  }

  /// What is loaded; `nil` if there is nothing to load, or a closure of the program supplies it.
  public var url: URL? { address?.url }

  /// Sent with the request; part of all keys. Setting them on a request without a URL does nothing.
  public var headers: HeaderFields {
    get { address?.headers ?? HeaderFields() }
    set {
      guard var address else { return }
      address.headers = newValue
      self.address = address
    }
  }

  /// Whether anything is done to the picture beyond decoding it.
  package var isVariant: Bool { !processors.isEmpty || thumbnail != nil }

  /// Whether the encoded image is not the bytes that were loaded.
  var isReencoded: Bool { isVariant || encoding != nil }

  /// Whether the bytes are on this machine anyway, so that keeping a copy gains nothing.
  package var isLocal: Bool {
    switch url?.scheme?.lowercased() {
    case "file", "data": true
    default: false
    }
  }

  /// The same image, in whatever format.
  var withoutEncoding: ImageRequest {
    guard encoding != nil else { return self }
    var request = self
    request.encoding = nil
    return request
  }

  /// The same without the last processor.
  package var withoutLastProcessor: ImageRequest {
    var request = self
    request.processors.removeLast()
    return request
  }
}
