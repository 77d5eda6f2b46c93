package import Foundation
package import Logging
package import StreamImages
package import StreamImagesS3

extension Thumbnails {
  package struct Settings: Sendable {
    // MARK: Sources

    package var hosts: HostPolicy
    package var addresses = AddressPolicy.publicOnly
    /// An object store, and the buckets that images may come from.
    package var store: S3Endpoint?
    package var buckets: Set<String> = []
    /// A bucket where several servers keep their thumbnails.
    package var sharedBucket: String?
    /// Where images of `local:` URLs are.
    package var folder: URL?

    // MARK: Requests

    /// With a key, only signed URLs are served.
    package var keys = SigningKeys.none
    /// Whether paths of imgproxy are served.
    package var readsImgproxyPaths = false
    package var options = OptionPolicy()
    package var maximumSide = 2048
    package var requestLimit = 1024
    /// How many requests may wait for images of one host.
    package var hostLimit = 128
    /// How many requests a client may make in a second, and at once; `nil` for no limit.
    package var clientRate: (perSecond: Double, burst: Double)?
    /// Whether the last address of `X-Forwarded-For` is that of the client.
    package var isBehindProxy = false
    /// From the head of a request to its answer, queues included.
    package var deadline = Duration.seconds(30)

    // MARK: Thumbnails

    /// Where images are decoded; by default where ``ImagePipeline/Configuration/server(allowing:)`` does that.
    package var isolation: DecodingIsolation?
    package var formats: [ThumbnailFormat] = [.webp]
    /// From 0 to 1, for formats whose quality is not the usual one.
    package var qualities: [ThumbnailFormat: Double] = [:]
    package var watermark: Mark?
    package var fallback: Fallback?

    // MARK: Answers

    /// In seconds; `nil` for what the origin allows.
    package var maxAge: Int?
    /// In seconds, where neither the operator nor the origin says anything.
    static let usualMaxAge = 86_400
    /// `Access-Control-Allow-Origin`.
    package var allowedOrigin: String?
    /// What `/metrics` asks for.
    package var metricsToken: String?
    package var logger: Logger

    /// Of images from these hosts.
    package init(hosts: HostPolicy) {
      self.hosts = hosts
      logger = Logger(label: "thumbnails") { StreamLogHandler.standardError(label: $0) }
      logger.logLevel = .notice
    }

    func quality(of format: ThumbnailFormat) -> Double { qualities[format] ?? format.usualQuality }
  }

  /// An image that is put over others.
  package struct Mark: Sendable {
    package var image: Image
    package var anchor = ImageProcessors.Anchor.bottomRight
    /// Its width as a share of that of the thumbnail; `nil` for its own.
    package var scale: Double?
    package var margin = 0.0

    package init(_ image: Image) { self.image = image }

    func processor(opacity: Double) -> ImageProcessors.Watermark {
      .watermark(image, anchor: anchor, scale: scale, opacity: opacity, margin: margin)
    }
  }

  /// An image for those that are missing, damaged, or not reachable.
  package struct Fallback: Sendable {
    package var data: Data
    /// `nil` for that of the refusal.
    package var status: Int?
    /// Part of cache keys, so another image is another entry.
    let id: String

    package init(_ data: Data, status: Int? = nil) {
      (self.data, self.status) = (data, status)
      id = "fallback \(Integrity(of: data).sha256)"
    }
  }
}
