#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process with all that it starts, and how it ended.
struct Command {
  enum End: Equatable {
    case exited(Int32), signalled(Int32), ranOutOfTime
    /// It was ended, since it had said what it was awaited to say.
    case stopped
  }

  struct Outcome {
    let end: End
    let output: String
    let seconds: Double
  }

  var arguments: [String]
  var folder: String
  var environment: [String: String]
  var limit = Double.infinity
  /// The process is ended as soon as it prints a line that begins so and reports an issue.
  var stop: String?

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs it to its end. Nothing of it is left, whatever it has started.
  func run() throws(Failure) -> Outcome {
    let start = Self.now()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: errno \(errno)") }
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
    defer { close(reading) }
    let process: pid_t
    do {
      defer { close(writing) }
      process = try spawn(writing)
    }
    var output: [UInt8] = [], searched = 0, end: End?, isOpen = true
    Running.groups.withLock { _ = $0.insert(process) }
    defer { Running.groups.withLock { _ = $0.remove(process) } }
    while true {
      if isOpen { isOpen = Self.read(reading, &output) }
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        end = end ?? (status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f))
        break
      }
      if !isOpen { usleep(2_000) }
      if end == nil, Self.now() - start > limit { end = .ranOutOfTime }
      if end == nil, let stop, Self.contains(stop, output, from: &searched) { end = .stopped }
      if end != nil { kill(-process, SIGKILL) }
    }
    kill(-process, SIGKILL)
    while isOpen, Self.read(reading, &output, wait: 0) == true, Self.isReady(reading, 0) {}
    return Outcome(end: end!, output: String(decoding: output, as: UTF8.self), seconds: Self.now() - start)
  }

  private func spawn(_ output: Int32) throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    posix_spawn_file_actions_addclose(&actions, output)
    // A group of its own, so that it can be ended with its children.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    // Those that the tool takes itself would stay ignored.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Running.signals { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A shell goes into the folder: the call for it is declared on few systems.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder]
    var words: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    words.append(nil)
    variables.append(nil)
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, shell[0], &actions, &attributes, words, variables)
    guard error == 0 else {
      throw Failure(description: "\(arguments[0]) cannot be run: \(String(cString: strerror(error)))")
    }
    return process
  }

  // MARK: What it says

  private static func isReady(_ file: Int32, _ milliseconds: Int32) -> Bool {
    var question = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&question, 1, milliseconds) > 0
  }

  /// - Returns: False if there is nobody who could say more.
  private static func read(_ file: Int32, _ output: inout [UInt8], wait milliseconds: Int32 = 50) -> Bool {
    guard isReady(file, milliseconds) else { return true }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    #if canImport(Darwin)
      let count = Darwin.read(file, &bytes, bytes.count)
    #else
      let count = Glibc.read(file, &bytes, bytes.count)
    #endif
    guard count > 0 else { return false }
    // A mutant that prints for ever is not to fill the memory.
    if output.count < 1 << 24 { output += bytes[..<count] }
    return true
  }

  /// Whether a complete line begins so and is about an issue that nobody expects; looks at none twice.
  private static func contains(_ start: String, _ output: [UInt8], from place: inout Int) -> Bool {
    while let end = output[place...].firstIndex(of: UInt8(ascii: "\n")) {
      if output[place..<end].starts(with: start.utf8),
        String(decoding: output[place..<end], as: UTF8.self).contains(" recorded an issue")
      {
        return true
      }
      place = end + 1
    }
    return false
  }

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
