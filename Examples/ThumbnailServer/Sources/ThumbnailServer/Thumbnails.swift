package import Foundation
internal import Logging
internal import NIOCore
package import StreamImages
internal import StreamImagesS3
internal import Synchronization

/// Makes thumbnails, keeps them, and says what it does.
package final class Thumbnails: Sendable {
  let settings: Settings
  package let pipeline: ImagePipeline
  let recent: EncodedMemoryCache
  let metrics: Metrics
  let clients: ClientRates?
  /// `nil` if it is not known when a client disconnects.
  private let connections: Connections?
  /// `nil` if the operator has set how long thumbnails may be kept.
  let origins: OriginRecords?
  private let requests = Atomic(0)
  private let hosts: HostShares

  /// - Parameters:
  ///   - diskLimit: In bytes.
  ///   - memoryLimit: In bytes.
  package init(
    _ settings: Settings, directory: URL, diskLimit: Int, memoryLimit: Int, connections: Connections? = nil
  ) {
    (self.settings, self.connections) = (settings, connections)
    origins = settings.maxAge == nil ? OriginRecords() : nil
    hosts = HostShares(limit: settings.hostLimit)
    clients = settings.clientRate.map { ClientRates(rate: $0.perSecond, burst: $0.burst) }
    let disk = DataCache(directory: directory, sizeLimit: diskLimit)
    recent = EncodedMemoryCache(over: disk, byteLimit: memoryLimit, countLimit: 100_000)

    var configuration = ImagePipeline.Configuration.server(allowing: settings.hosts)
    let (loader, cache) = (Self.loader(settings), Self.cache(over: recent, settings))
    configuration.dataLoader = loader
    if let isolation = settings.isolation { configuration.decodingIsolation = isolation }
    configuration.dataCache = cache
    configuration.onStorageError = { [logger = settings.logger] error in
      logger.warning("thumbnail not stored", metadata: ["error.type": "\(error.code)"])
    }
    // What is served is encoded. Pixels would take ten times the memory.
    configuration.imageCache = nil
    configuration.encoder = ImageEncoders.Default(quality: settings.quality(of: .jpeg))
    let encoders = PreferredQuality.Delegate()
    configuration.delegate = encoders
    if let origins {
      configuration.delegate = OriginDelegate(
        records: origins, loader: loader, cache: cache, encoders: encoders)
    }
    // Clients wait for what is encoded here.
    configuration.encodingWidth = ProcessInfo.processInfo.activeProcessorCount
    pipeline = ImagePipeline(configuration)
    metrics = Metrics(of: pipeline)
  }

  private static func loader(_ settings: Settings) -> SourceLoader {
    var network = CurlLoader.Configuration.server
    network.hostPolicy = settings.hosts
    network.addressPolicy = settings.addresses
    network.userAgent = "ThumbnailServer"
    return SourceLoader(
      network: CurlLoader(network), store: settings.store.map { S3Loader($0, loader: storeLoader) },
      buckets: settings.buckets, folder: settings.folder.map { FolderLoader($0) })
  }

  /// The operator has named the store, so it may be in a private network.
  private static var storeLoader: CurlLoader {
    var trusted = CurlLoader.Configuration.server
    trusted.addressPolicy = .any
    return CurlLoader(trusted)
  }

  private static func cache(over recent: EncodedMemoryCache, _ settings: Settings) -> any DataCaching {
    guard let store = settings.store, let bucket = settings.sharedBucket else { return recent }
    let shared = S3DataCache(
      bucket: bucket, prefix: "thumbnails/", endpoint: store, loader: storeLoader
    ) { [logger = settings.logger] error in
      logger.warning("bucket not read", metadata: ["error.type": "\(error.code)"])
    }
    return LayeredDataCache(layers: [recent, shared])
  }

  /// The thumbnail, in the format that suits `accept`: from memory, from disk, or made now, once for all who ask.
  ///
  /// - Parameter channel: The connection of the client. Nothing is made for a client that has closed it.
  func thumbnail(
    _ query: ThumbnailQuery, accept: String?, for channel: any Channel
  ) async throws(Refusal) -> DataResponse {
    try await limited(channel, of: query.url) { [self] () throws(Refusal) in
      try await image(query.source, query, accept)
    }
  }

  /// The image that replaces one that cannot be had.
  ///
  /// - Parameter time: What the other image has left of the deadline. If that is nothing, there is a second.
  func fallback(
    _ fallback: Fallback, _ query: ThumbnailQuery, accept: String?, for channel: any Channel,
    within time: Duration
  ) async throws(Refusal) -> DataResponse {
    let data = fallback.data
    return try await limited(channel, max(time, .seconds(1))) { [self] () throws(Refusal) in
      try await image(ImageRequest(id: fallback.id, data: { data }), query, accept)
    }
  }

  /// What the image is, without making a thumbnail of it.
  func description(
    of query: ThumbnailQuery, for channel: any Channel
  ) async throws(Refusal) -> ImageDescription {
    try await limited(channel, of: query.url) { [pipeline, origins] () throws(Refusal) in
      var request = query.source
      origins?.renewIfStale(&request)
      do {
        let data = try await pipeline.data(for: request).data
        // As large as hashes and palettes need it, and of the same bytes: the URL could have others by now.
        let box = CGSize(width: 128, height: 128)
        let small = try await pipeline.image(
          for: ImageRequest(
            id: "description \(Integrity(of: data).sha256)", data: { data },
            processors: [.resize(size: box, contentMode: .aspectFit)], options: .disableDiskCache))
        return try ImageDescription(data, small: small)
      } catch let error as ImagePipeline.Error {
        throw Refusal(error)
      } catch let error as ImageCodecError {
        throw Refusal(status: 422, code: error.code)
      } catch {
        throw Refusal(.cancelled)
      }
    }
  }

  /// - Parameters:
  ///   - time: `nil` for the deadline.
  ///   - url: That of an image that has to be loaded.
  private func limited<Value: Sendable>(
    _ channel: any Channel, _ time: Duration? = nil, of url: URL? = nil,
    _ body: @escaping @Sendable () async throws(Refusal) -> Value
  ) async throws(Refusal) -> Value {
    guard requests.add(1, ordering: .relaxed).newValue <= settings.requestLimit else {
      requests.subtract(1, ordering: .relaxed)
      throw .busy
    }
    defer { requests.subtract(1, ordering: .relaxed) }
    let hangUp = connections.map { connections in
      { @Sendable in await connections.waitForHangUp(of: channel) }
    }
    let limit = time ?? settings.deadline
    guard let url else { return try await within(limit, or: hangUp, body) }
    return try await hosts.hold(url) { () throws(Refusal) in try await within(limit, or: hangUp, body) }
  }

  private func image(
    _ request: ImageRequest, _ query: ThumbnailQuery, _ accept: String?
  ) async throws(Refusal) -> DataResponse {
    var request = request
    request.processors = try query.processors { opacity in settings.watermark?.processor(opacity: opacity) }
    if let format = query.format ?? ThumbnailFormat.best(of: settings.formats, accept: accept) {
      request.encoding = format.encoding(quality: query.quality ?? settings.quality(of: format))
    }
    origins?.renewIfStale(&request)
    do {
      return try await pipeline.encodedImage(for: request)
    } catch {
      throw Refusal(error)
    }
  }
}
