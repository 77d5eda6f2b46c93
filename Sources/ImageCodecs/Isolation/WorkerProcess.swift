import CSandbox

/// A worker, as its program sees it. Used by one thread at a time.
///
/// All replies are checked before use, because an image may have taken the worker over.
final class WorkerProcess {
  private var process: SandboxProcess
  private var number: Int64 = 0
  /// The memory for files of usual sizes; -1 until there is one. It is reused, because new pages take longer than
  /// copying to old ones.
  private var input: Int32 = -1
  private(set) var protections: ImageWorker.Protections = []
  private(set) var imageCount = 0
  /// The time that it has spent on requests.
  private(set) var busy = Duration.zero
  private(set) var hasEnded = false

  /// The interval, in milliseconds, at which cancellation and deadline are checked while a worker works.
  private static let interval: Int32 = 15
  /// The time for a worker to end after it is cancelled, or after its own deadline has passed.
  private static let grace = Duration.milliseconds(20)
  private static let patienceToStart = Duration.seconds(20)

  /// Starts a worker. It has read no image yet.
  init(program: String, limits: WorkerRequest.Limits) throws(ImageCodecError) {
    process = SandboxProcess()
    let code = sandbox_start(program, ImageWorker.flag, "\(ImageWorker.version)", &process)
    guard code == 0 else { throw .isolationUnavailable(.notStarted("\(program), error \(-code)")) }
    do throws(ImageCodecError) {
      try configure(program, limits)
    } catch {
      end()
      throw error
    }
  }

  /// Creates a worker from the program's end of a channel.
  init(channel: Int32) {
    process = SandboxProcess(process: 0, handle: -1, channel: channel, complaints: -1)
  }

  deinit { end() }

  private func configure(_ program: String, _ limits: WorkerRequest.Limits) throws(ImageCodecError) {
    var request = WorkerRequest(.configure)
    request.limits = limits
    let reply: WorkerReply
    do throws(ImageCodecError) {
      try send(request, [])
      reply = try receive(deadline: Self.patienceToStart, isCancelled: { false })
    } catch {
      throw .isolationUnavailable(.notStarted("\(program) is not a worker: \(error)"))
    }
    switch reply.content {
    case .ready(let protections):
      let missing = ImageWorker.Protections.required.subtracting(protections)
      guard missing.isEmpty else { throw .isolationUnavailable(.unprotected(missing)) }
      self.protections = protections
    case .failure(let error): throw error
    default: throw .isolationUnavailable(.notStarted("\(program) is not a worker"))
    }
  }

  /// Whether it accepts requests: it is running, and has sent nothing without a request.
  var isReady: Bool { !hasEnded && !sandbox_wait(process.channel, 0) }

  /// Sends the worker a request for an image, and waits for the result, which has memory of its own.
  ///
  /// After an error that is not the decoder's, the worker has ended.
  func image(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> (image: Image, claim: WorkerReply.Claim)? {
    var request = request
    request.outputCount = Self.outputCount(request.options.limits)
    let output = try SharedMemory(byteCount: request.outputCount)
    let reply: WorkerReply
    if let bytes {
      request.inputCount = bytes.count
      reply = try withInput(bytes) { input throws(ImageCodecError) in
        try perform(request, [input, output.descriptor], isCancelled)
      }
    } else {
      reply = try perform(request, [output.descriptor], isCancelled)
    }
    switch reply.content {
    case .image(let claim):
      do throws(ImageCodecError) {
        return (try output.image(claim, options: request.options), claim)
      } catch {
        if case .decoderMisbehaved = error { end() }
        throw error
      }
    case .nothing: return nil
    default: throw misbehaved("it replied to another question")
    }
  }

  /// The same for what needs no memory for pixels.
  func reply(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply.Content {
    guard let bytes else { return try perform(request, [], isCancelled).content }
    var request = request
    request.inputCount = bytes.count
    return try withInput(bytes) { input throws(ImageCodecError) in
      try perform(request, [input], isCancelled).content
    }
  }

  /// Calls `body` with memory that holds a file.
  private func withInput<Value>(
    _ bytes: UnsafeRawBufferPointer, _ body: (Int32) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    guard bytes.count <= Self.keptInput else {
      let input = try SharedMemory(copying: bytes)
      return try body(input.descriptor)
    }
    if input < 0 { input = sandbox_make_output(Self.keptInput) }
    guard input >= 0, sandbox_fill(input, bytes.baseAddress, bytes.count) == 0 else { throw .outOfMemory }
    return try body(input)
  }

  private static let keptInput = 2 << 20

  /// For an image, what it is made of, and a profile: at most twice what an image may have.
  static func outputCount(_ limits: DecodingLimits) -> Int {
    let decoded = min(max(limits.maximumDecodedBytes, 1 << 20), 1 << 34)
    let profile = min(max(limits.maximumMetadataBytes, 0), 1 << 28)
    return (decoded * 2 + profile + 1 << 20) / 4096 * 4096
  }

  func misbehaved(_ reason: String) -> ImageCodecError {
    end()
    return .decoderMisbehaved(reason)
  }

  // MARK: Asking and waiting

  private func perform(
    _ request: WorkerRequest, _ descriptors: [Int32], _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply {
    if isCancelled() { throw .cancelled }
    let start = ContinuousClock.now
    defer {
      imageCount += 1
      busy += .now - start
    }
    try send(request, descriptors)
    let reply = try receive(
      deadline: request.options.limits.deadline + Self.grace, isCancelled: isCancelled)
    if case .failure(let error) = reply.content {
      if error.mayLeaveTraces { end() }
      throw error
    }
    return reply
  }

  private func send(_ request: WorkerRequest, _ descriptors: [Int32]) throws(ImageCodecError) {
    number += 1
    var request = request
    request.number = number
    let status = request.message.withBytes {
      sandbox_send(process.channel, $0.baseAddress, $0.count, descriptors, descriptors.count)
    }
    guard status == 0 else { throw crash() }
  }

  private func receive(
    deadline: Duration, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply {
    let start = ContinuousClock.now
    var stop: ContinuousClock.Instant?
    while true {
      if sandbox_wait(process.channel, Self.interval), let reply = try next() {
        // It was not asked to stop.
        if case .failure(.cancelled) = reply.content, stop == nil { throw misbehaved("it stopped by itself") }
        return reply
      }
      let now = ContinuousClock.now
      if let stop {
        if now >= stop {
          end()
          throw .cancelled
        }
      } else if isCancelled() {
        stop = now + Self.grace
        askToStop()
      }
      if now - start >= deadline {
        end()
        throw stop == nil ? .deadlineExceeded : .cancelled
      }
    }
  }

  /// The next message; nil if there is none yet.
  private func next() throws(ImageCodecError) -> WorkerReply? {
    var isOdd = false
    let (count, message) = withUnsafeTemporaryAllocation(
      byteCount: WorkerMessage.byteCount, alignment: 8
    ) { buffer in
      let count = sandbox_receive(process.channel, buffer.baseAddress, buffer.count, &isOdd)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(max(0, Int(count))))
      return (count, WorkerMessage(bytes))
    }
    if count == Self.tryAgain { return nil }
    guard count > 0 else { throw crash() }
    guard !isOdd, let message, let reply = WorkerReply(message), reply.number == number else {
      throw misbehaved("it replied with something that is not a reply")
    }
    return reply
  }

  private static let tryAgain: Int64 = -11

  private func askToStop() {
    var request = WorkerRequest(.cancel)
    request.number = number
    // A worker that does not read it is killed in a moment.
    _ = request.message.withBytes { sandbox_send(process.channel, $0.baseAddress, $0.count, nil, 0) }
  }

  // MARK: The end

  /// Kills it unless it has ended.
  func end() { _ = ending() }

  private func ending() -> SandboxEnding {
    if hasEnded { return SandboxEnding() }
    hasEnded = true
    sandbox_close(input)
    input = -1
    return sandbox_end(&process)
  }

  /// Returns the error for a worker that has ended unexpectedly.
  private func crash() -> ImageCodecError {
    guard sandbox_ends_within(&process, 1_000) else {
      return misbehaved("it has closed its channel, and does not end")
    }
    let ending = ending()
    switch ending.signal {
    // Nobody here has killed it. The kernel does that when there is no memory left.
    case 9 where ending.isKnown: return .outOfMemory
    case 24: return .deadlineExceeded
    default: return .decoderCrashed(signal: Int(ending.signal))
    }
  }
}

extension ImageCodecError {
  /// Whether a decoder that failed so may have left memory, threads or worse behind: the next image gets another worker.
  fileprivate var mayLeaveTraces: Bool {
    switch self {
    case .notAnImage, .unsupportedFormat, .missingLibrary, .tooLarge, .truncated, .invalidSize, .cancelled:
      false
    default: true
    }
  }
}
