package import Foundation

/// The bytes of an image with their metadata.
package struct EncodedImage: Sendable {
  package var data: Data
  package var origin: ImageOrigin
  /// The URL after redirects.
  package var url: URL?
  /// The type that the server sent. A hint.
  package var contentType: String?
  /// The content coding that the server applied although the request did not allow it.
  var contentCoding: String?
  /// The duration of each step, if the bytes come from the network.
  package var timings: LoadTimings?
  /// How an HTTP cache produced the response.
  package var httpCacheStatus: CacheStatus?
  /// The file that was read, if it was one.
  var fileVersion: FileVersion?
  /// Whether the work was started for an earlier request.
  package var wasCoalesced = false
  /// The job that loaded it.
  package var job: UInt64?
  /// The request that was sent, if there was one.
  var address: DataRequest?
  /// Whether more bytes follow.
  package var isPreview = false
  /// Counts the bytes as waiting for decoding.
  var charge: ByteBudget.Charge?
  /// Set once the load has ended; `nil` unless this is a preview.
  var isOvertaken: CancellationFlag?

  package init(_ data: Data, origin: ImageOrigin, url: URL?, contentType: String?) {
    self.data = data
    self.origin = origin
    self.url = url
    self.contentType = contentType
  }

  func charged(to budget: ByteBudget) -> EncodedImage {
    var charged = self
    charged.charge = budget.charge(data.count)
    return charged
  }

  /// The same bytes, not counted as waiting.
  var uncharged: EncodedImage {
    var uncharged = self
    uncharged.charge = nil
    return uncharged
  }
}

/// The bytes of a processed image, and the image if it was encoded just now.
package struct EncodedVariant: Sendable {
  package var encoded: EncodedImage
  /// `nil` if the bytes were on disk.
  package var decoded: DecodedImage?

  init(_ encoded: EncodedImage, _ decoded: DecodedImage? = nil) {
    (self.encoded, self.decoded) = (encoded, decoded)
  }
}

extension EncodedVariant: JobValue {
  package var isPreview: Bool { false }

  package var wasCoalesced: Bool {
    get { encoded.wasCoalesced }
    set {
      encoded.wasCoalesced = newValue
      decoded?.wasCoalesced = newValue
    }
  }

  package var job: UInt64? {
    get { encoded.job }
    set {
      encoded.job = newValue
      decoded?.job = newValue
    }
  }
}

extension EncodedImage {
  /// With the content type detected from its first bytes.
  var named: EncodedImage {
    var named = self
    if let format = ImageFormat(of: data) {
      named.contentType = format.mimeType
    }
    return named
  }
}

extension ImageRequest {
  /// Whether the image has to be encoded: it is processed, or there are no loaded bytes.
  var isEncodedAnew: Bool { if case .image = source { true } else { isReencoded } }
}
