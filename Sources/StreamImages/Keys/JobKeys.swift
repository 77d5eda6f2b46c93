/// Identifies loads that can be shared: the same bytes, loaded under the same rules.
package struct DataJobKey: Hashable, Sendable {
  private let content: Content

  // On the heap, because tables and requests store several copies, and thousands of requests may wait.
  private indirect enum Content: Hashable, Sendable {
    case of(ResourceKey, JobConditions)
  }

  /// - Parameter number: Separates a job from all others, if it is not `nil`.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    // A reload is sent with `no-cache`.
    let isReload = request.options.isSuperset(of: .reloadIgnoringCachedData)
    content = .of(resource, JobConditions(request, isReload ? .affectingImage : .affectingLoad, number))
  }
}

/// Identifies images that can be made together.
///
/// Options for writing to caches are not part of it. They are applied for each subscriber, after the job.
package struct ImageJobKey: Hashable, Sendable {
  private let content: Content

  // As above.
  private indirect enum Content: Hashable, Sendable {
    case of(Variant, JobConditions, readsVariant: Bool)
  }

  /// - Parameters:
  ///   - readsVariant: Whether the image may be read from the disk, encoded. Such an image may have lost quality.
  ///   - number: Separates a job from all others, if it is not `nil`.
  package init?(_ request: ImageRequest, readsVariant: Bool = false, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    content = .of(
      Variant(request, resource), JobConditions(request, .affectingImage, number), readsVariant: readsVariant)
  }
}

/// The properties, apart from the image, that must be equal for requests to share a job.
private struct JobConditions: Hashable, Sendable {
  // An image with another ID is stored elsewhere, so it has a job of its own.
  let id: KeyText?
  let rules: FetchRules?
  let options: ImageRequest.Options
  let number: UInt64?

  init(_ request: ImageRequest, _ relevant: ImageRequest.Options, _ number: UInt64?) {
    id = request.imageID.map { KeyText($0) }
    rules = request.fetchRules
    options = request.options.intersection(relevant)
    self.number = number
  }
}

/// Identifies images that can be encoded together.
package struct EncodingJobKey: Hashable, Sendable {
  private let image: ImageJobKey
  private let encoding: ImageEncoder.Encoding?

  /// - Parameter number: Separates a job from all others, if it is not `nil`.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let image = ImageJobKey(request, number: number) else { return nil }
    (self.image, encoding) = (image, request.encoding)
  }
}

/// The rules of a load. A request that may not use a network does not share the load of one that may.
struct FetchRules: Hashable, Sendable {
  private let acceptedStatuses: Set<Int>
  private let flags: UInt8

  init(_ request: DataRequest) {
    acceptedStatuses = request.acceptedStatuses
    let allowed = [
      request.allowsRedirects, request.allowsContentCoding, request.allowsConstrainedNetworkAccess,
      request.allowsExpensiveNetworkAccess,
    ]
    flags = allowed.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  // Nearly all requests accept the same hundred statuses. Hashing them would take most of the time of a lookup.
  func hash(into hasher: inout Hasher) { hasher.combine(flags) }
}

extension ImageRequest {
  /// `nil` unless a URL is loaded.
  var fetchRules: FetchRules? {
    if case .address(let request) = source { FetchRules(request) } else { nil }
  }
}
