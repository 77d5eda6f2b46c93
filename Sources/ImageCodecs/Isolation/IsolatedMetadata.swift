extension IsolatedImageDecoder {
  /// Reads metadata; see ``ImageMetadata/init(of:limits:)-(UnsafeRawBufferPointer,_)``.
  ///
  /// The texts of a PNG and boxes of a JPEG XL are decompressed by C libraries, and so in a worker process. Other formats are read here,
  /// as headers are.
  public func metadata(
    of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .default, isCancelled: () -> Bool = { false }
  ) throws(ImageCodecError) -> ImageMetadata {
    let format = ImageFormat(sniffing: bytes.prefix(ImageFormat.sniffingLength))
    guard format == .png || format == .jpegXL else {
      return try ImageMetadata(of: bytes, limits: limits)
    }
    var request = WorkerRequest(.metadata)
    request.options.limits = limits
    return try withWorker(request, bytes) { worker, request throws(ImageCodecError) in
      try worker.metadata(request, bytes, isCancelled: isCancelled)
    }
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public func metadata(
    of bytes: some Collection<UInt8>, limits: DecodingLimits = .default
  ) throws(ImageCodecError) -> ImageMetadata {
    try bytes.withBytes { buffer throws(ImageCodecError) in try metadata(of: buffer, limits: limits) }
  }
}

extension WorkerProcess {
  package func metadata(
    _ request: WorkerRequest, _ file: UnsafeRawBufferPointer, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> ImageMetadata {
    let most = MetadataParcel.maximumCount(request.options.limits)
    guard let parcel = try bytes(request, file, maximumCount: most, isCancelled: isCancelled) else {
      return ImageMetadata()
    }
    guard let metadata = MetadataParcel(bytes: parcel).metadata else {
      throw .decoderMisbehaved("it claims metadata that is none")
    }
    return metadata
  }
}

/// The metadata of a PNG as one sequence of bytes: the kind of each part, its length, and its content.
package struct MetadataParcel {
  private enum Kind: UInt8 {
    case exif, xmp, iptc, profile, keyword, text
  }

  package private(set) var bytes: [UInt8] = []

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ metadata: ImageMetadata) {
    add(.exif, metadata.exif?.bytes)
    add(.xmp, metadata.xmp?.bytes)
    add(.iptc, metadata.iptc?.bytes)
    add(.profile, metadata.colorProfile?.bytes)
    for (keyword, text) in metadata.texts {
      add(.keyword, Array(keyword.utf8))
      add(.text, Array(text.utf8))
    }
  }

  private mutating func add(_ kind: Kind, _ content: [UInt8]?) {
    guard let content else { return }
    bytes += [UInt8](joining: [kind.rawValue], ByteView.bigEndian(content.count, count: 4), content)
  }

  /// Each block is within the limit, and texts together within four times as many bytes, which may double in UTF-8.
  package static func maximumCount(_ limits: DecodingLimits) -> Int {
    min(max(limits.maximumMetadataBytes, 0), 1 << 28) * 12 + 1 << 20
  }

  /// `nil` for other bytes.
  package var metadata: ImageMetadata? {
    bytes.withUnsafeBytes { buffer in
      let view = ByteView(buffer)
      var metadata = ImageMetadata()
      var keyword: String?
      var position = 0
      while position < view.count {
        guard let kind = view.byte(position).flatMap({ Kind(rawValue: UInt8($0)) }),
          let count = view.big(position + 1, count: 4),
          let content = view.slice(position + 5, count: count)?.array
        else { return nil }
        position += 5 + count
        switch kind {
        case .exif: metadata.exif = ExifData(bytes: content)
        case .xmp: metadata.xmp = XMPData(bytes: content)
        case .iptc: metadata.iptc = IPTCData(bytes: content)
        case .profile: metadata.colorProfile = ICCProfile(bytes: content)
        case .keyword: keyword = String(decoding: content, as: UTF8.self)
        case .text:
          guard let name = keyword else { return nil }
          metadata.texts[name] = String(decoding: content, as: UTF8.self)
          keyword = nil
        }
      }
      return metadata
    }
  }
}
