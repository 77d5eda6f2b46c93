import CSandbox
import ImageCodecs

/// Each side of the channel, with any bytes from the other side.
enum WorkerProbe {
  /// How many bytes every message has.
  static let byteCount = WorkerMessage.byteCount
  static let numberCount = WorkerMessage.numberCount
  /// The worker of the program's side has received it.
  static let proof: Int64 = 0x5EED

  /// Both ends of a channel; nil if there is none.
  private static func pair() -> (program: Int32, worker: Int32)? {
    var ends: (program: Int32, worker: Int32) = (-1, -1)
    let code = withUnsafeMutableBytes(of: &ends) {
      sandbox_pair($0.baseAddress?.assumingMemoryBound(to: Int32.self))
    }
    return code == 0 ? ends : nil
  }

  /// Returns the program's result if a worker replies with these bytes to its request.
  static func decode(
    reply: [UInt8], options: DecodingOptions
  ) -> Result<Image?, ImageCodecError> {
    guard let ends = pair() else { return .failure(.isolationUnavailable(.platform)) }
    defer { sandbox_close(ends.worker) }
    _ = reply.withUnsafeBytes { sandbox_send(ends.worker, $0.baseAddress, $0.count, nil, 0) }
    let worker = WorkerProcess(channel: ends.program, proof: proof)
    var request = WorkerRequest(.decode)
    request.options = options
    return [1, 2, 3].withUnsafeBytes { bytes in
      Result { () throws(ImageCodecError) in
        try worker.image(request, bytes, isCancelled: { false })?.image
      }
    }
  }

  /// Returns the metadata that a program reads if a worker claims so many bytes, all of them zero.
  static func metadata(
    offset: Int, count: Int, limits: DecodingLimits = .default
  ) -> Result<ImageMetadata, ImageCodecError> {
    guard let ends = pair() else { return .failure(.isolationUnavailable(.platform)) }
    defer { sandbox_close(ends.worker) }
    let content = WorkerReply.Content.bytes(offset: offset, count: count)
    _ = WorkerReply(number: 1, proof: proof, content: content).message.withBytes {
      sandbox_send(ends.worker, $0.baseAddress, $0.count, nil, 0)
    }
    let worker = WorkerProcess(channel: ends.program, proof: proof)
    var request = WorkerRequest(.metadata)
    request.options.limits = limits
    return [1, 2, 3].withUnsafeBytes { bytes in
      Result { () throws(ImageCodecError) in
        try worker.metadata(request, bytes, isCancelled: { false })
      }
    }
  }

  /// A true reply to the first request, about an image that is all black.
  static func reply(
    width: Int, height: Int, profile: Int = 0, gainMap: GainMap.Metadata? = nil
  ) -> [UInt8] {
    var claim = WorkerReply.Claim()
    claim.size = PixelSize(width: width, height: height)
    claim.gainMap = gainMap.map {
      WorkerReply.GainMapClaim(size: claim.size, pixelFormat: .gray8, offset: 0, metadata: $0)
    }
    if profile > 0 { (claim.colors, claim.profileCount) = (.profile, profile) }
    return WorkerReply(number: 1, proof: proof, content: .image(claim)).message.withBytes { [UInt8]($0) }
  }

  static func request(decoding bytes: [UInt8], options: DecodingOptions) -> [UInt8] {
    var request = WorkerRequest(.decode)
    (request.inputCount, request.options) = (bytes.count, options)
    request.outputCount = WorkerProcess.outputCount(options.limits)
    return request.message.withBytes { [UInt8]($0) }
  }

  /// Returns a worker's reply to these bytes, with a file; nil if the worker would end.
  static func serve(request: [UInt8], file: [UInt8]) -> [UInt8]? {
    let message = request.withUnsafeBytes { WorkerMessage($0) }
    guard let request = message.flatMap({ WorkerRequest($0) }) else { return nil }
    // Without a channel, the program is gone, and nothing is decoded any more.
    guard let ends = pair() else { return nil }
    defer {
      sandbox_close(ends.program)
      sandbox_close(ends.worker)
    }
    let input = sandbox_make_input(file.count)
    _ = file.withUnsafeBytes { sandbox_fill(input, 0, $0.baseAddress, $0.count) }
    let output = sandbox_make_output(WorkerProcess.outputCount(.default))
    let job = WorkerLoop.Job(request: request, memories: [output, input])
    defer { job.close() }
    var loop = WorkerLoop(channel: ends.worker, before: { _ in })
    return loop.reply(to: job).message.withBytes { [UInt8]($0) }
  }

  /// Options as a worker reads them; nil if it would end.
  static func passed(_ options: DecodingOptions) -> DecodingOptions? {
    let bytes = request(decoding: [], options: options)
    return bytes.withUnsafeBytes { WorkerMessage($0) }.flatMap { WorkerRequest($0) }?.options
  }

  /// An error as a program reads it.
  static func passed(_ error: ImageCodecError) -> ImageCodecError? {
    guard case .failure(let error) = passed(.failure(error)) else { return nil }
    return error
  }

  /// A header as a program reads it.
  static func passed(_ info: ImageInfo) -> ImageInfo? {
    guard case .info(let info) = passed(.info(info)) else { return nil }
    return info
  }

  /// The header of an animation as a program reads it.
  static func passed(_ info: ImageInfo, plays: Int?) -> (info: ImageInfo, plays: Int?)? {
    guard case .animation(let info, let plays) = passed(.animation(info, plays: plays)) else { return nil }
    return (info, plays)
  }

  /// The limits of a renderer as a worker reads them: bytes, elements, painted pixels, and the sides of a drawing that has no size.
  static func passed(_ renderer: SVGRenderer) -> [Int]? {
    var request = WorkerRequest(.drawing)
    request.drawing = WorkerRequest.Drawing(renderer)
    let bytes = request.message.withBytes { [UInt8]($0) }
    guard let drawing = bytes.withUnsafeBytes({ WorkerMessage($0) }).flatMap({ WorkerRequest($0) })?.drawing
    else { return nil }
    return [
      drawing.maximumBytes, drawing.maximumElements, drawing.maximumPaintedPixels, drawing.defaultSize.width,
      drawing.defaultSize.height,
    ]
  }

  /// Metadata as a program reads it.
  static func passed(_ metadata: ImageMetadata) -> ImageMetadata? {
    parcel(MetadataParcel(metadata).bytes)
  }

  /// The metadata in the bytes of a worker; nil if they are none.
  static func parcel(_ bytes: [UInt8]) -> ImageMetadata? { MetadataParcel(bytes: bytes).metadata }

  /// How many bytes of metadata a program accepts.
  static func mostMetadata(_ limits: DecodingLimits) -> Int { MetadataParcel.maximumCount(limits) }

  /// A request that a worker has read, written again; nil if it would end.
  static func rewritten(request bytes: [UInt8]) -> [UInt8]? {
    let request = bytes.withUnsafeBytes { WorkerMessage($0) }.flatMap { WorkerRequest($0) }
    return request?.message.withBytes { [UInt8]($0) }
  }

  /// A reply that a program has read, written again; nil if it is refused.
  static func rewritten(reply bytes: [UInt8]) -> [UInt8]? {
    let reply = bytes.withUnsafeBytes { WorkerMessage($0) }.flatMap { WorkerReply($0) }
    return reply?.message.withBytes { [UInt8]($0) }
  }

  /// The limits of a process whose images have these, and how long it is kept without work.
  static func processLimits(
    _ limits: DecodingLimits
  ) -> (addressSpace: Int, processorSeconds: Int, idle: Duration) {
    let found = WorkerPool.processLimits(limits, .images)
    return (found.addressSpace, found.processorSeconds, WorkerPool.longestIdle(limits))
  }

  /// What of the limits the memory of a renderer's worker depends on.
  static func drawingMemory(_ limits: DecodingLimits) -> DecodingLimits {
    DrawingWorkers.memory(limits)
  }

  /// The error for a header of these sides; nil if a program accepts it.
  static func refusal(of info: ImageInfo) -> ImageCodecError? {
    do throws(ImageCodecError) {
      try WorkerProcess(channel: -1, proof: proof).check(info)
      return nil
    } catch {
      return error
    }
  }

  /// The error of copying a file to this descriptor.
  static func refusal(ofFile bytes: [UInt8], to descriptor: Int32) -> ImageCodecError? {
    do throws(ImageCodecError) {
      try bytes.withBytes { buffer throws(ImageCodecError) in
        try SharedMemory.fill(descriptor, buffer, proof: proof)
      }
      return nil
    } catch {
      return error
    }
  }

  private static func passed(_ content: WorkerReply.Content) -> WorkerReply.Content? {
    let bytes = WorkerReply(number: 7, content: content).message.withBytes { [UInt8]($0) }
    let reply = bytes.withUnsafeBytes { WorkerMessage($0) }.flatMap { WorkerReply($0) }
    return reply?.number == 7 ? reply?.content : nil
  }
}
