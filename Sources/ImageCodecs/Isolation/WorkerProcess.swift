import CSandbox

/// A worker, as its program sees it. Used by one thread at a time.
///
/// All replies are checked before use, because an image may have taken the worker over.
package final class WorkerProcess {
  private var process: SandboxProcess
  private var number: Int64 = 0
  /// What lies behind the file in its memory, and nowhere else.
  private var proof: Int64 = 0
  private var isProofFixed = false
  /// The memory for files of usual sizes; -1 until there is one. It is reused, because new pages take longer than
  /// copying to old ones.
  private var input: Int32 = -1
  private(set) var protections: ImageWorker.Protections = []
  private(set) var imageCount = 0
  private(set) var hasEnded = false
  /// When it had nothing to do any more, and the processor time that it had spent by then.
  private(set) var idleSince = ContinuousClock.now
  private var spentWhenIdle = Duration.zero

  /// The interval, in milliseconds, at which cancellation and deadline are checked while a worker works.
  private static let interval: Int32 = 15
  /// The time for a worker to end after it is cancelled, or after its own deadline has passed.
  static let grace = Duration.milliseconds(20)
  /// The processor time that it may take when it has nothing to do: it gives memory back.
  private static let idleTime = Duration.milliseconds(250)
  private static let patienceToStart = Duration.seconds(20)

  /// Starts a worker. It has read no image yet.
  init(program: String, limits: WorkerRequest.Limits) throws(ImageCodecError) {
    // No descriptor yet: what cannot be started closes none, and 0 would be one of the program's.
    process = SandboxProcess(process: 0, handle: -1, channel: -1, complaints: -1)
    let code = sandbox_start(
      program, ImageWorker.flag, "\(ImageWorker.version)", limits.task == .drawingsWithFonts, &process)
    guard code == 0 else { throw .isolationUnavailable(.notStarted("\(program), error \(-code)")) }
    try configure(program, limits)
  }

  /// Creates a worker from the program's end of a channel, whose requests all have the same proof.
  package init(channel: Int32, proof: Int64) {
    self.proof = proof
    isProofFixed = true
    process = SandboxProcess(process: 0, handle: -1, channel: channel, complaints: -1)
  }

  deinit { end() }

  private func configure(_ program: String, _ limits: WorkerRequest.Limits) throws(ImageCodecError) {
    var request = WorkerRequest(.configure)
    request.limits = limits
    let reply: WorkerReply
    do throws(ImageCodecError) {
      try send(&request, [])
      reply = try receive(request, deadline: Self.patienceToStart, isCancelled: { false })
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

  /// Whether an idle worker accepts requests: it is running, and has neither sent nor done anything without a request.
  var isReady: Bool {
    !sandbox_wait(process.channel, 0) && processorTime - spentWhenIdle < Self.idleTime
  }

  /// Called when it has nothing to do.
  func rest() { (idleSince, spentWhenIdle) = (.now, processorTime) }

  /// The processor time of all of its threads since its start.
  var processorTime: Duration { .nanoseconds(max(sandbox_processor_time(&process), 0)) }

  /// Sends the worker a request for an image, and waits for the result, which has memory of its own.
  package func image(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> (image: Image, claim: WorkerReply.Claim)? {
    let count = Self.outputCount(request.options.limits)
    return try result(request, bytes, outputCount: count, isCancelled) {
      content, output throws(ImageCodecError) -> (image: Image, claim: WorkerReply.Claim) in
      guard case .image(let claim) = content else { throw .mismatchedReply }
      return (try output.image(claim, options: request.options), claim)
    }
  }

  /// The same for bytes other than pixels; `nil` if there are none.
  ///
  /// - Parameter maximumCount: More is refused.
  func bytes(
    _ request: WorkerRequest, _ file: UnsafeRawBufferPointer, maximumCount: Int, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> [UInt8]? {
    // Behind a whole page for each part.
    let count = (maximumCount + 1 << 20) / 4096 * 4096
    return try result(request, file, outputCount: count, isCancelled) {
      content, output throws(ImageCodecError) -> [UInt8] in
      guard case .bytes(let offset, let count) = content else { throw .mismatchedReply }
      guard count <= maximumCount else { throw .decoderMisbehaved("it has more bytes than the limit") }
      return try output.bytes(offset: offset, count: count)
    }
  }

  /// What `read` finds in memory of so many bytes, which a worker has filled; nil if it has nothing.
  private func result<Value>(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, outputCount: Int, _ isCancelled: () -> Bool,
    _ read: (WorkerReply.Content, borrowing SharedMemory) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value? {
    var request = request
    request.outputCount = outputCount
    let output = try SharedMemory(byteCount: outputCount)
    let content: WorkerReply.Content
    do throws(ImageCodecError) {
      content = try perform(request, bytes, output.descriptor, isCancelled)
    } catch {
      // Whatever it has failed with, it keeps nothing of this memory.
      if !hasEnded, !output.reclaim() { end() }
      throw error
    }
    guard case .nothing = content else { return try read(content, output) }
    if !output.reclaim() { throw .decoderMisbehaved("it keeps more memory than the image has") }
    return nil
  }

  /// The same for what needs no memory for pixels.
  func reply(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply.Content {
    try perform(request, bytes, nil, isCancelled)
  }

  /// Calls `body` with memory that holds a file, and behind it the proof that a worker has received it.
  private func withInput(
    _ bytes: UnsafeRawBufferPointer?, _ body: (Int32) throws(ImageCodecError) -> Void
  ) throws(ImageCodecError) {
    let count = bytes?.count ?? 0
    guard count <= Self.keptInput else {
      let memory = try SharedMemory(fileOf: count)
      try SharedMemory.fill(memory.descriptor, bytes, proof: proof)
      return try body(memory.descriptor)
    }
    if input < 0 { input = sandbox_make_input(Self.keptInput + MemoryLayout<Int64>.size) }
    guard input >= 0 else { throw .outOfMemory }
    try SharedMemory.fill(input, bytes, proof: proof)
    try body(input)
  }

  private static let keptInput = 2 << 20

  /// For an image, what it is made of, and a profile: at most twice what an image may have.
  package static func outputCount(_ limits: DecodingLimits) -> Int {
    let decoded = min(max(limits.maximumDecodedBytes, 1 << 20), 1 << 34)
    let profile = min(max(limits.maximumMetadataBytes, 0), 1 << 28)
    return (decoded * 2 + profile + 1 << 20) / 4096 * 4096
  }

  // MARK: Asking and waiting

  /// The memory for pixels comes first: a worker that has no room for both cannot read the proof in the other one.
  private func perform(
    _ request: WorkerRequest, _ bytes: UnsafeRawBufferPointer?, _ output: Int32?, _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply.Content {
    if isCancelled() { throw .cancelled }
    defer { imageCount += 1 }
    var request = request
    request.inputCount = bytes?.count ?? 0
    if !isProofFixed { proof = .random(in: .min ... .max) }
    try withInput(bytes) { input throws(ImageCodecError) in
      try send(&request, output.map { [$0, input] } ?? [input])
    }
    let reply = try receive(
      request, deadline: request.options.limits.deadline + Self.grace, isCancelled: isCancelled)
    if imageCount % Self.imagesPerCount == 0 { try checkThreads() }
    if case .failure(let error) = reply.content { throw error }
    return reply.content
  }

  private func send(
    _ request: inout WorkerRequest, _ descriptors: [Int32]
  ) throws(ImageCodecError) {
    number += 1
    request.number = number
    let status = request.message.withBytes {
      sandbox_send(process.channel, $0.baseAddress, $0.count, descriptors, descriptors.count)
    }
    guard status == 0 else { throw crash() }
  }

  private func receive(
    _ request: WorkerRequest, deadline: Duration, isCancelled: () -> Bool
  ) throws(ImageCodecError) -> WorkerReply {
    let start = ContinuousClock.now
    let spent = processorTime
    var stop: ContinuousClock.Instant?
    while true {
      if sandbox_wait(process.channel, Self.interval), let reply = try next() {
        // It was not asked to stop.
        if case .failure(.cancelled) = reply.content, stop == nil {
          throw .decoderMisbehaved("it stopped by itself")
        }
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
      // With several threads, the work of twice the time.
      if now - start >= deadline || processorTime - spent >= deadline * 2 {
        end()
        throw stop == nil ? .deadlineExceeded : .cancelled
      }
      try checkThreads()
    }
  }

  /// The next message; nil if there is none yet.
  private func next() throws(ImageCodecError) -> WorkerReply? {
    var isOdd = false
    let (count, message) = withUnsafeTemporaryAllocation(
      byteCount: WorkerMessage.byteCount, alignment: 8
    ) { buffer in
      let count = sandbox_receive(process.channel, buffer.baseAddress, buffer.count, nil, &isOdd)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(max(0, Int(count))))
      return (count, WorkerMessage(bytes))
    }
    if count == Self.tryAgain { return nil }
    guard count > 0 else { throw crash() }
    guard !isOdd, let message, let reply = WorkerReply(message) else {
      throw .decoderMisbehaved("it replied with something that is not a reply")
    }
    guard reply.number == number else { throw .mismatchedReply }
    guard reply.proof == proof else {
      throw .decoderMisbehaved("it has not received the memory of this request")
    }
    return reply
  }

  /// The sides of files are numbers of at most 32 bits.
  package func check(_ info: ImageInfo) throws(ImageCodecError) {
    let sides = 1...Int(UInt32.max)
    guard sides.contains(info.storedSize.width), sides.contains(info.storedSize.height) else {
      throw .decoderMisbehaved("its header is beyond what a file can express")
    }
  }

  /// Threads need no memory of the worker's, and so its limits do not count them.
  private func checkThreads() throws(ImageCodecError) {
    guard !hasManyThreads else { throw .decoderMisbehaved("it has more threads than decoders need") }
  }

  var hasManyThreads: Bool { sandbox_thread_count(&process) > Self.mostThreads }

  private static let mostThreads = sandbox_most_threads()
  /// They are also counted while a worker works, and while it is idle. Counting takes as long as decoding a small image.
  private static let imagesPerCount = 16

  /// Asks for the end of an animation. Waits for nothing.
  func askToClose() {
    if hasEnded { return }
    var request = WorkerRequest(.close)
    proof = 0
    do throws(ImageCodecError) { try send(&request, []) } catch { end() }
  }

  /// Whether it has replied to that.
  var hasClosed: Bool {
    guard !hasEnded, let reply = try? next(), case .done = reply.content else { return false }
    return true
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
    guard sandbox_ends_within(&process, 5_000) else {
      return .decoderMisbehaved("it has closed its channel, and does not end")
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
  static let mismatchedReply = ImageCodecError.decoderMisbehaved("its reply does not match the request")
}
