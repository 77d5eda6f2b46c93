internal import Foundation

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
    if let format = ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength)) {
      named.contentType = format.mimeType
    }
    return named
  }
}

extension ImageRequest {
  /// Whether the image has to be encoded: it is processed, or there are no loaded bytes.
  var isEncodedAnew: Bool {
    if case .image = source { true } else { isReencoded }
  }
}
