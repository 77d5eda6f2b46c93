public import Foundation

/// What picture is wanted, how urgently, and what may be done to get it.
///
/// ```swift
/// let request = ImageRequest(url: url, processors: [.resize(width: 320)])
/// ```
public struct ImageRequest: Sendable {
  package var source: DataRequest?

  /// Stands for the URL in the keys of all caches.
  ///
  /// For URLs with parts that change although the picture does not, such as tokens. Requests of one URL but of
  /// different ids are loaded apart.
  public var imageID: String?

  /// Divides the caches: what was loaded under one partition is never given to another.
  ///
  /// `nil` stands for a partition derived from the credentials of the request (`Authorization`, `Cookie`, headers
  /// marked secret, user and password in the URL), so that two users of one program do not see each other's
  /// pictures. Name one if the credentials change, but the user does not.
  public var cachePartition: String?

  /// Pixels per point of the picture, kept with it; the pixels are the same.
  public var scale = 1.0

  /// Asks for a small picture, made while decoding.
  public var thumbnail: ThumbnailOptions?

  /// Who comes first where there is a queue.
  public var priority: Priority

  /// What is done to the picture, in this order.
  public var processors: [any ImageProcessing]

  public var options: Options

  /// - Parameter url: Without one, loading fails with a bad URL.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = []
  ) {
    source = url.map { DataRequest(url: $0) }
    self.processors = processors
    self.priority = priority
    self.options = options
  }

  /// A request with a method and headers.
  public init(
    _ request: DataRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    self.init(url: nil, processors: processors, priority: priority, options: options)
    source = request
  }

  public var url: URL? { source?.url }

  /// Sent with the request; part of all keys. Setting them on a request without a URL does nothing.
  public var headers: HeaderFields {
    get { source?.headers ?? HeaderFields() }
    set { source?.headers = newValue }
  }
}

extension ImageRequest: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(url: URL(string: text)) }
}

extension ImageRequest: Hashable {
  /// Processors are compared by their identifiers.
  public static func == (left: ImageRequest, right: ImageRequest) -> Bool {
    left.source == right.source && left.imageID == right.imageID
      && left.cachePartition == right.cachePartition
      && left.scale == right.scale && left.thumbnail == right.thumbnail && left.priority == right.priority
      && left.options == right.options
      && left.processors.map(\.identifier) == right.processors.map(\.identifier)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(imageID)
    hasher.combine(processors.map(\.identifier))
  }
}

extension ImageRequest: CustomStringConvertible {
  /// Without secrets: user, password, query and headers are left out.
  public var description: String {
    var parts = [source?.description ?? "no URL"]
    if let imageID { parts.append("id \(imageID)") }
    if let thumbnail { parts.append(thumbnail.identifier) }
    parts += processors.map(\.identifier)
    parts.append("\(priority)")
    return parts.joined(separator: ", ")
  }
}

extension ImageRequest {
  /// Under which the bytes are kept.
  package var resourceKey: ResourceKey? {
    source.map { ResourceKey($0, id: imageID, partition: cachePartition) }
  }

  /// Under which the bytes are fetched.
  package var jobResourceKey: ResourceKey? {
    source.map { ResourceKey($0, id: nil, partition: cachePartition) }
  }

  /// Whether anything is done to the picture beyond decoding it.
  package var isVariant: Bool { !processors.isEmpty || thumbnail != nil }

  /// Whether the bytes are on this machine anyway, so that keeping a copy gains nothing.
  package var isLocal: Bool {
    switch url?.scheme?.lowercased() {
    case "file", "data": true
    default: false
    }
  }

  /// The same without the last processor.
  package var withoutLastProcessor: ImageRequest {
    var request = self
    request.processors.removeLast()
    return request
  }
}
