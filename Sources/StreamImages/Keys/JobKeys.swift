/// Which loads may be one: the same bytes, fetched under the same rules.
package struct DataJobKey: Hashable, Sendable {
  private let resource: ResourceKey
  // Under another id the bytes would be kept elsewhere, so that is another load.
  private let id: String?
  private let options: ImageRequest.Options
  private let number: UInt64?

  /// - Parameter number: Sets a load apart from all others, if there is one.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    self.number = number
    self.resource = resource
    id = request.imageID
    options = request.options.intersection(.affectingLoad)
  }
}

/// Which pictures may be made together.
///
/// What is written to the caches is not part of it: each subscriber's options decide that, after the job.
package struct ImageJobKey: Hashable, Sendable {
  private let variant: Variant
  private let id: String?
  private let options: ImageRequest.Options
  private let number: UInt64?

  /// - Parameter number: Sets a job apart from all others, if there is one.
  package init?(_ request: ImageRequest, number: UInt64? = nil) {
    guard let resource = request.jobResourceKey else { return nil }
    self.number = number
    variant = Variant(request, resource)
    id = request.imageID
    options = request.options.intersection(.affectingImage)
  }
}
