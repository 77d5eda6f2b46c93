import CTransport
internal import Streams

/// The thread that runs libcurl, and its mailbox.
///
/// Between two turns the thread sleeps until a socket, a deadline, a command or a job wakes it. It also runs the jobs of
/// tasks that prefer this executor, after each turn, when what they wait for has arrived.
package final class CurlLoop: TaskExecutor, BodySource {
  private typealias Command = @Sendable (CurlSession) -> Void

  private struct Inbox: Sendable {
    var commands: [Command] = []
    var jobs: [UnownedJob] = []
    var isStopping = false
    /// Whether the thread sleeps or is about to. Waking it is a system call, and most commands do not need one.
    var isWaiting = false
    /// Part of this state so that a freed handle is never used. Other threads use it under the lock, to wake and to end
    /// floods; the loop's thread uses it without the lock.
    var handle: Handle?
    var thread: Handle?
  }

  // A handle is an address. `Inbox` documents which thread may use it, and how.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let inbox: Guarded<Inbox>
  private let configuration: CurlLoader.Configuration
  private let watch = TurnWatch()

  /// `nil` if libcurl is missing or no thread can be started.
  package init?(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    inbox = Guarded(Inbox())
    guard let handle = CurlSession.makeHandle(configuration).map(Handle.init) else { return nil }
    inbox.withLock { $0.handle = handle }
    let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
      Unmanaged<CurlLoop>.fromOpaque($0!).takeRetainedValue().run()
    }
    let context = Unmanaged.passRetained(self)
    guard let thread = transport_thread_start(body, context.toOpaque()) else {
      context.release()
      transport_session_free(handle.pointer)
      return nil
    }
    let started = Handle(pointer: thread)
    inbox.withLock { $0.thread = started }
  }

  /// Whether its thread has ended, or is about to: because it was stopped, or because libcurl could not continue.
  package var isOver: Bool { inbox.withLock { $0.isStopping } }

  /// Queues a load.
  package func start(_ chain: RedirectChain, bufferedByteCount: Int) throws(DataLoadingError) -> BodyPipe {
    let pipe = BodyPipe(of: self, bufferedByteCount: bufferedByteCount)
    guard post({ $0.add(chain, pipe) }) else { throw .invalidated }
    return pipe
  }

  package func resume(_ pipe: BodyPipe) { post { $0.resume(pipe) } }

  /// Moves a load within the queue whenever `priority` changes, until the result is cancelled.
  func follow(
    _ priority: DynamicPriority, for pipe: BodyPipe, from first: ImageRequest.Priority
  ) -> AnyCancellable {
    // Read on the thread, because commands of several threads may arrive in another order than their changes.
    @Sendable func move(_ priority: DynamicPriority) { post { $0.prioritize(pipe, priority.current) } }
    // `priority` calls this itself, so it exists then.
    let watch = priority.observe { [unowned priority] in move(priority) }
    // It may have changed before it was observed.
    if priority.current != first { move(priority) }
    return AnyCancellable { watch.cancel() }
  }

  package func cancel(_ pipe: BodyPipe) { post { $0.remove(pipe, finish: .cancelled) } }

  /// Ends all loads and waits for the thread to exit.
  package func stop() {
    let thread = inbox.withLock { inbox in
      inbox.isStopping = true
      if let handle = inbox.handle { transport_session_wake(handle.pointer) }
      defer { inbox.thread = nil }
      return inbox.thread
    }
    if let thread { transport_thread_join(thread.pointer) }
  }

  /// A job that arrives too late runs elsewhere, because every task must end.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !put({ $0.jobs.append(job) }) { globalConcurrentExecutor.enqueue(job) }
  }

  @discardableResult
  private func post(_ command: @escaping Command) -> Bool { put { $0.commands.append(command) } }

  /// Returns false if the thread will not read the inbox any more.
  private func put(_ something: (inout Inbox) -> Void) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isStopping, let handle = inbox.handle else { return false }
      if inbox.isWaiting { transport_session_wake(handle.pointer) }
      inbox.isWaiting = false
      something(&inbox)
      return true
    }
  }
}

// MARK: On the thread

extension CurlLoop {
  private func run() {
    let session = CurlSession(configuration)
    let failure = serve(session)
    let (handle, abandoned, jobs) = inbox.withLock { inbox in
      inbox.isStopping = true
      defer { (inbox.handle, inbox.commands, inbox.jobs) = (nil, [], []) }
      return (inbox.handle, inbox.commands, inbox.jobs)
    }
    for command in abandoned { command(session) }
    session.removeAll(failure)
    if let handle { transport_session_free(handle.pointer) }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
  }

  /// Runs until an error, which is returned.
  private func serve(_ session: CurlSession) -> DataLoadingError {
    var keepsConnections = false
    let look: TurnWatch.Look = { [weak self] isFirst in self?.endFloods(isFirst: isFirst) }
    while true {
      // Jobs run first, so that what they request is part of this turn.
      for job in takeJobs() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      guard let (handle, commands) = takeCommands() else { return .invalidated }
      for command in commands { command(session) }
      keepsConnections = keepsConnections || !session.isIdle
      do throws(DataLoadingError) {
        let deadline = try watch.turn(look) { () throws(DataLoadingError) in try session.turn(handle.pointer)
        }
        let isIdle = session.isIdle
        var wait = isIdle && keepsConnections ? .now + configuration.idleConnectionLifetime.bounded : deadline
        if let pollInterval = session.pollInterval {
          wait = min(wait ?? .now + pollInterval, .now + pollInterval)
        }
        guard mayWait() else { continue }
        guard transport_session_wait(handle.pointer, Self.milliseconds(until: wait)) >= 0 else {
          throw .unavailable("poll failed")
        }
        if isIdle, keepsConnections, let wait, wait <= .now {
          keepsConnections = !closeIdleConnections()
        }
      } catch {
        return error
      }
    }
  }

  /// False if something was put into the inbox meanwhile.
  private func mayWait() -> Bool {
    inbox.withLock { inbox in
      inbox.isWaiting = inbox.commands.isEmpty && inbox.jobs.isEmpty && !inbox.isStopping
      return inbox.isWaiting
    }
  }

  private func takeJobs() -> [UnownedJob] {
    inbox.withLock { inbox in
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
  }

  private func takeCommands() -> (Handle, [Command])? {
    inbox.withLock { inbox in
      inbox.isWaiting = false
      guard !inbox.isStopping, let handle = inbox.handle else { return nil }
      defer { inbox.commands = [] }
      return (handle, inbox.commands)
    }
  }

  /// libcurl closes idle connections only with their handle. Returns false, and keeps it, if there can be no other one.
  private func closeIdleConnections() -> Bool {
    guard let fresh = CurlSession.makeHandle(configuration).map(Handle.init) else { return false }
    let old = inbox.withLock { inbox in
      defer { inbox.handle = fresh }
      return inbox.handle
    }
    if let old { transport_session_free(old.pointer) }
    return true
  }

  /// Ends the connections that hold up the thread in libcurl. Called on another one.
  private func endFloods(isFirst: Bool) {
    inbox.withLock { inbox in
      guard let handle = inbox.handle else { return }
      _ = transport_session_end_floods(handle.pointer, isFirst)
    }
  }

  private static func milliseconds(until moment: MonotonicInstant?) -> Int32 {
    guard let moment else { return .max }
    // A machine that has slept may be late by any time.
    let (seconds, attoseconds) = MonotonicInstant.now.duration(to: moment).bounded.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    // Rounded up, because waking too early would spin.
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }
}
