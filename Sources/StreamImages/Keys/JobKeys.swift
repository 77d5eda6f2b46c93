/// Which loads may be one: the same bytes, fetched under the same rules.
package struct DataJobKey: Hashable, Sendable {
  private let resource: ResourceKey
  // Under another id the bytes would be kept elsewhere, so that is another load.
  private let id: String?
  private let rules: FetchRules?
  private let options: ImageRequest.Options
  private let number: UInt64?

  /// - Parameter number: Sets a load apart from all others, if there is one.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    self.number = number
    self.resource = resource
    id = request.imageID
    rules = request.fetchRules
    options = request.options.intersection(.affectingLoad)
  }
}

/// Which pictures may be made together.
///
/// What is written to the caches is not part of it: each subscriber's options decide that, after the job.
package struct ImageJobKey: Hashable, Sendable {
  private let variant: Variant
  private let id: String?
  private let rules: FetchRules?
  private let options: ImageRequest.Options
  private let number: UInt64?

  /// - Parameter number: Sets a job apart from all others, if there is one.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    self.number = number
    variant = Variant(request, resource)
    id = request.imageID
    rules = request.fetchRules
    options = request.options.intersection(.affectingImage)
  }
}

/// Which images may be encoded together.
package struct EncodingJobKey: Hashable, Sendable {
  private let image: ImageJobKey
  private let encoding: ImageEncoder.Encoding?

  /// - Parameter number: Sets a job apart from all others, if there is one.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let image = ImageJobKey(request, number: number) else { return nil }
    (self.image, encoding) = (image, request.encoding)
  }
}

/// How a request wants its bytes to be fetched: one that may not use a network does not join one that may.
struct FetchRules: Hashable, Sendable {
  private let acceptedStatuses: Set<Int>
  private let flags: [Bool]

  init(_ request: DataRequest) {
    acceptedStatuses = request.acceptedStatuses
    flags = [
      request.allowsRedirects, request.allowsContentCoding, request.allowsConstrainedNetworkAccess,
      request.allowsExpensiveNetworkAccess,
    ]
  }
}

extension ImageRequest {
  /// `nil` if nothing is fetched, or by a closure.
  var fetchRules: FetchRules? {
    if case .address(let request) = source { FetchRules(request) } else { nil }
  }
}
