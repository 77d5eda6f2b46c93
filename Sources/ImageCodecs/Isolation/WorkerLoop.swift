import CCodecs
import CSandbox

/// The life of a worker process, from its start to its end.
///
/// Until it is configured, the process runs only the program's own code. From the first request on, it is not
/// trusted: an image may have taken it over.
package struct WorkerLoop {
  private let work: (UnsafeRawBufferPointer) throws(ImageCodecError) -> Void
  private let channel: Int32
  private var animation: AnimationReader?
  private var task = WorkerRequest.Task.images

  /// - Parameter work: Called with the bytes before they are decoded.
  package init(
    channel: Int32, before work: @escaping (UnsafeRawBufferPointer) throws(ImageCodecError) -> Void
  ) {
    (self.channel, self.work) = (channel, work)
  }

  /// Images of fewer bytes are made in the heap and copied: new pages take longer than that.
  private static let leastShared = 4 << 20

  /// How long it waits before it gives memory back.
  private static let calm: Int32 = 1_000

  mutating func run() -> Never {
    sandbox_prepare()
    codec_keep_pixels_in_heap(Self.leastShared)
    guard let configuration = receive(), configuration.request.kind == .configure else { sandbox_exit(2) }
    task = configuration.request.limits.task
    send(WorkerReply(number: configuration.request.number, content: enter(configuration.request.limits)))
    while let job = receive() {
      if job.request.kind != .cancel { send(reply(to: job)) }
      job.close()
    }
    sandbox_exit(0)
  }

  private mutating func enter(_ limits: WorkerRequest.Limits) -> WorkerReply.Content {
    codec_be_quiet_already()
    // As long as it lives: its images may belong to different users.
    codec_begin_clean_memory()
    do throws(ImageCodecError) {
      try WorkerWarmUp.run(limits.task)
    } catch {
      return .failure(error)
    }
    sandbox_trim()
    let limits = SandboxLimits(
      addressSpace: UInt64(limits.addressSpace), processorSeconds: UInt64(limits.processorSeconds),
      readsFiles: limits.task == .drawingsWithFonts)
    let protections = ImageWorker.Protections(rawValue: withUnsafePointer(to: limits) { sandbox_enter($0) })
    // It reads no fonts then.
    if task == .drawingsWithFonts, !protections.contains(.files) { task = .drawings }
    return .ready(protections)
  }

  // MARK: Messages

  package struct Job {
    var request: WorkerRequest
    /// That for pixels, if the request needs it, and that with the file.
    var memories: [Int32]

    package init(request: WorkerRequest, memories: [Int32]) {
      (self.request, self.memories) = (request, memories)
    }

    /// What the program has written behind the file.
    fileprivate var proof: Int64 {
      guard let memory = memories.last else { return 0 }
      return Int64(littleEndian: sandbox_read_number(memory, request.inputCount))
    }

    package func close() { memories.forEach { sandbox_close($0) } }
  }

  /// The next request; nil at the end of the program, and for a message that is none.
  private func receive() -> Job? {
    if !sandbox_wait(channel, Self.calm) {
      sandbox_trim()
      _ = sandbox_wait(channel, -1)
    }
    var isOdd = false
    var memories: (Int32, Int32) = (-1, -1)
    let request = withUnsafeTemporaryAllocation(byteCount: WorkerMessage.byteCount, alignment: 8) { buffer in
      let count = withUnsafeMutableBytes(of: &memories) {
        sandbox_receive(
          channel, buffer.baseAddress, buffer.count, $0.baseAddress?.assumingMemoryBound(to: Int32.self),
          &isOdd)
      }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(max(0, Int(count))))
      return WorkerMessage(bytes).flatMap { WorkerRequest($0) }
    }
    guard !isOdd, let request else { return nil }
    return Job(request: request, memories: [memories.0, memories.1].filter { $0 >= 0 })
  }

  private func send(_ reply: WorkerReply) {
    let status = reply.message.withBytes { sandbox_reply(channel, $0.baseAddress, $0.count) }
    if status != 0 { sandbox_exit(0) }
  }

  // MARK: Work

  package mutating func reply(to job: Job) -> WorkerReply {
    let proof = job.proof
    var content = WorkerReply.Content.nothing
    do throws(ImageCodecError) {
      content = try self.content(for: job)
    } catch {
      content = .failure(error)
    }
    return WorkerReply(number: job.request.number, proof: proof, content: content)
  }

  private mutating func content(for job: Job) throws(ImageCodecError) -> WorkerReply.Content {
    let request = job.request
    switch request.kind {
    case .configure, .cancel: throw .corrupt("a second configuration")
    case .close:
      animation = nil
      return .done
    case .frame:
      return try withOutput(job) { output throws(ImageCodecError) in
        guard let frame = try animation?.next() else { return .nothing }
        return try output.claim(frame.image, isComplete: true, duration: frame.duration)
      }
    default: break
    }
    guard request.inputCount > 0 else { throw .notAnImage(.empty) }
    guard let memory = job.memories.last,
      let start = sandbox_map_input(memory, request.inputCount)
    else { throw .outOfMemory }
    defer { sandbox_unmap(start, request.inputCount) }
    let bytes = UnsafeRawBufferPointer(start: start, count: request.inputCount)
    try work(bytes)
    switch request.kind {
    case .info: return .info(try ImageDecoder.info(of: bytes))
    case .measure:
      let size = try SVGRenderer(request.drawing).size(of: bytes, limits: request.options.limits)
      return .size(size)
    case .open:
      let channel = channel
      animation = nil
      let reader = try AnimationReader(
        bytes, options: request.options, isCancelled: { sandbox_is_interrupted(channel) })
      animation = reader
      return .animation(reader.info, plays: reader.plays)
    case .metadata:
      let metadata = try ImageMetadata(of: bytes, limits: request.options.limits)
      return try withOutput(job) { output throws(ImageCodecError) in
        metadata.isEmpty ? .nothing : try output.claim(MetadataParcel(metadata).bytes)
      }
    default:
      return try withOutput(job) { output throws(ImageCodecError) in
        output.lend()
        return try image(of: bytes, request, output)
      }
    }
  }

  /// Calls `body` with memory for pixels, which is empty afterwards unless there is an image in it.
  private func withOutput(
    _ job: Job, _ body: (WorkerOutput) throws(ImageCodecError) -> WorkerReply.Content
  ) throws(ImageCodecError) -> WorkerReply.Content {
    guard job.memories.count == 2 else { throw .outOfMemory }
    let output = try WorkerOutput(job.memories[0], byteCount: job.request.outputCount)
    do throws(ImageCodecError) {
      let content = try body(output)
      switch content {
      case .image, .bytes: output.close(isEmpty: false)
      default: output.close(isEmpty: true)
      }
      return content
    } catch {
      output.close(isEmpty: true)
      throw error
    }
  }

  private func image(
    of bytes: UnsafeRawBufferPointer, _ request: WorkerRequest, _ output: WorkerOutput
  ) throws(ImageCodecError) -> WorkerReply.Content {
    let (channel, options) = (channel, request.options)
    let isCancelled = { sandbox_is_interrupted(channel) }
    switch request.kind {
    case .decodeAvailable:
      let available = try ImageDecoder.decodeAvailable(bytes, options: options, isCancelled: isCancelled)
      return try output.claim(available.image, isComplete: available.isComplete)
    case .thumbnail:
      let image = try ImageDecoder.embeddedThumbnail(of: bytes, options: options, isCancelled: isCancelled)
      guard let image else { return .nothing }
      return try output.claim(image, isComplete: true)
    case .drawing:
      // Fonts are files. Without them, librsvg would draw boxes instead, and say nothing.
      guard task == .drawingsWithFonts || !SVGText.hasText(bytes) else {
        throw .unsupportedFeature("text in an SVG that a worker process draws")
      }
      let renderer = try SVGRenderer(request.drawing)
      let image = try renderer.image(of: bytes, options: options, isCancelled: isCancelled)
      return try output.claim(image, isComplete: true)
    default:
      let image = try ImageDecoder.decode(bytes, options: options, isCancelled: isCancelled)
      return try output.claim(image, isComplete: true)
    }
  }
}

extension SVGRenderer {
  fileprivate init(_ drawing: WorkerRequest.Drawing) throws(ImageCodecError) {
    try self.init()
    isolation = .none
    maximumBytes = drawing.maximumBytes
    maximumElements = drawing.maximumElements
    maximumPaintedPixels = drawing.maximumPaintedPixels
    defaultSize = drawing.defaultSize
  }
}
