public import Foundation
public import Streams
internal import StreamsExtras

extension ImageRequest {
  /// Creates a request for a URL. Loading fails if the URL is `nil`.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = []
  ) {
    self.init(
      source: url.map { .address(DataRequest(url: $0)) } ?? .missing, processors: processors,
      priority: priority, options: options)
  }

  /// Creates a request with a method and headers.
  public init(
    _ request: DataRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    self.init(source: .address(request), processors: processors, priority: priority, options: options)
  }

  /// Creates a request for bytes that a closure supplies, for example from a database, an archive or your own loader.
  ///
  /// The closure is called if the caches have nothing, in a task that is cancelled with the last request that shares
  /// it. An error it throws becomes ``ImagePipeline/Error/sourceFailed(_:)``, unless it is a ``DataLoadingError`` or an
  /// ``ImagePipeline/Error``. Its bytes are stored on disk like those from the network.
  ///
  /// The caches identify the bytes by `id`. Concurrent requests with the same `id` share one call.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) {
    let supply: DataSupply = { take in try take(try await data()) }
    self.init(
      source: .data(NamedSource(id, supply)), processors: processors, priority: priority, options: options)
  }

  /// Creates a request for bytes that a publisher sends, in one or more pieces.
  ///
  /// `publisher` is called when the bytes are needed. The publisher it returns is cancelled with the last request that
  /// shares it, and one piece is requested at a time. If it finishes without a byte, the request fails with
  /// ``ImagePipeline/Error/dataIsEmpty``.
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

  /// Creates a request for an image that a closure supplies, for example a drawing, a map or a frame of a video.
  ///
  /// There are no bytes to decode or to store. The policy decides whether the image is encoded and stored on disk.
  /// ``thumbnail``, and a ``scale`` other than 1, are applied to the image that the closure returns.
  public init(
    id: String, image: @escaping @Sendable () async throws -> Image, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) {
    self.init(
      source: .image(NamedSource(id, image)), processors: processors, priority: priority, options: options)
  }

  /// The request that is loaded, if there is one.
  package var address: DataRequest? {
    get { if case .address(let request) = source { request } else { nil } }
    set { source = newValue.map { .address($0) } ?? .missing }
  }

  /// The URL that is loaded, if there is one.
  public var url: URL? { address?.url }

  /// The headers to send. Part of the keys of the pipeline's caches. Setting them on a request without a URL has no
  /// effect.
  public var headers: HeaderFields {
    get { address?.headers ?? HeaderFields() }
    set {
      guard var address else { return }
      address.headers = newValue
      self.address = address
    }
  }

  /// Whether the image is changed after decoding.
  package var isVariant: Bool { !processors.isEmpty || thumbnail != nil }

  /// Whether the encoded image differs from the loaded bytes.
  var isReencoded: Bool { isVariant || encoding != nil }

  /// Whether the bytes are on this machine already, so that storing them is useless.
  package var isLocal: Bool {
    switch url?.scheme?.lowercased() {
    case "file", "data": true
    default: false
    }
  }

  /// The request without its encoding.
  var withoutEncoding: ImageRequest {
    guard encoding != nil else { return self }
    var request = self
    request.encoding = nil
    return request
  }

  /// The request without its last processor.
  package var withoutLastProcessor: ImageRequest {
    var request = self
    request.processors.removeLast()
    return request
  }
}

/// The source of an image.
package enum ImageSource: Sendable, Hashable {
  /// None: the request was created without a URL.
  case missing
  case address(DataRequest)
  case data(NamedSource<DataSupply>)
  case image(NamedSource<ImageSupply>)

  package var isMissing: Bool { self == .missing }
}

/// Delivers bytes in pieces, and returns after the last one.
package typealias DataSupply = @Sendable (_ take: (Data) throws -> Void) async throws -> Void

package typealias ImageSupply = @Sendable () async throws -> Image

/// A closure and its name. Closures with the same name are considered equal.
package struct NamedSource<Supply: Sendable>: Sendable, Hashable {
  package let name: String
  package let supply: Supply

  package init(_ name: String, _ supply: Supply) {
    self.name = name
    self.supply = supply
  }

  package static func == (left: Self, right: Self) -> Bool { left.name.hasSameBytes(as: right.name) }

  package func hash(into hasher: inout Hasher) { hasher.combine(KeyText(name)) }
}

extension ImageSource: CustomStringConvertible {
  /// Without secrets. A closure is described by its name.
  package var description: String {
    switch self {
    case .missing: "no URL"
    case .address(let request): request.description
    case .data(let source): "data \"\(source.name)\""
    case .image(let source): "image \"\(source.name)\""
    }
  }
}
