package import Foundation
package import StreamImages
internal import Synchronization

/// Makes thumbnails, keeps them, and says what it does.
package final class Thumbnails: Sendable {
  package struct Settings: Sendable {
    package var hosts: HostPolicy
    package var addresses = AddressPolicy.publicOnly
    /// Where images are decoded; by default where ``ImagePipeline/Configuration/server(allowing:)`` does that.
    package var isolation: DecodingIsolation?
    package var maximumSide = 2048
    package var requestLimit = 1024
    /// How many requests may wait for images of one host.
    package var hostLimit = 128
    /// From the head of a request to its answer, queues included.
    package var deadline = Duration.seconds(30)
    package var maxAge = 86_400
    package var formats: [ThumbnailFormat] = [.webp]

    /// Of images from these hosts.
    package init(hosts: HostPolicy) { self.hosts = hosts }
  }

  let settings: Settings
  package let pipeline: ImagePipeline
  let recent: EncodedMemoryCache
  let metrics: Metrics
  private let requests = Atomic(0)
  private let hosts: HostShares

  /// - Parameters:
  ///   - diskLimit: In bytes.
  ///   - memoryLimit: In bytes.
  package init(_ settings: Settings, directory: URL, diskLimit: Int, memoryLimit: Int) {
    self.settings = settings
    hosts = HostShares(limit: settings.hostLimit)
    let disk = DataCache(directory: directory, sizeLimit: diskLimit)
    recent = EncodedMemoryCache(over: disk, byteLimit: memoryLimit, countLimit: 100_000)

    var network = CurlLoader.Configuration.server
    network.hostPolicy = settings.hosts
    network.addressPolicy = settings.addresses
    network.userAgent = "ThumbnailServer"
    var configuration = ImagePipeline.Configuration.server(allowing: settings.hosts)
    configuration.dataLoader = SchemeLoader(network: CurlLoader(network), file: nil, data: nil)
    if let isolation = settings.isolation { configuration.decodingIsolation = isolation }
    configuration.dataCache = recent
    // What is served is encoded. Pixels would take ten times the memory.
    configuration.imageCache = nil
    configuration.encoder = ImageEncoders.Default(quality: 0.8)
    // Clients wait for what is encoded here.
    configuration.encodingWidth = ProcessInfo.processInfo.activeProcessorCount
    pipeline = ImagePipeline(configuration)
    metrics = Metrics(of: pipeline)
  }

  /// The thumbnail, in the format that suits `accept`: from memory, from disk, or made now, once for all who ask.
  func thumbnail(_ query: ThumbnailQuery, accept: String?) async throws(Refusal) -> DataResponse {
    guard requests.add(1, ordering: .relaxed).newValue <= settings.requestLimit else {
      requests.subtract(1, ordering: .relaxed)
      throw .busy
    }
    defer { requests.subtract(1, ordering: .relaxed) }
    let host = "\(query.url.host?.lowercased() ?? ""):\(query.url.port ?? 0)"
    return try await hosts.hold(host) { () throws(Refusal) in
      try await within(settings.deadline) { [self] () throws(Refusal) in try await image(query, accept) }
    }
  }

  private func image(_ query: ThumbnailQuery, _ accept: String?) async throws(Refusal) -> DataResponse {
    var request = ImageRequest(url: query.url, processors: [query.processor])
    request.encoding = ThumbnailFormat.best(of: settings.formats, accept: accept)?.encoding
    do {
      return try await pipeline.encodedImage(for: request)
    } catch {
      throw Refusal(error)
    }
  }
}
