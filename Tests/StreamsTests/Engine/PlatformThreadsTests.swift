#if os(Linux)
  import CThreads
  import Foundation
  import Streams
  import Synchronization
  import TestSupport
  import Testing

  @Suite("Threads of the platform", .timeLimit(.minutes(2)))
  struct PlatformThreadsTests {
    /// How many nanoseconds `body` takes.
    private static func elapsed(_ body: () -> Void) -> UInt64 {
      let start = cthreads_nanoseconds()
      body()
      return cthreads_nanoseconds() - start
    }

    @Test("A brief wait ends after its time, and at once if the word is another one already")
    func briefly() {
      let word = Word(7)

      // It may end early for no reason, but not each time.
      #expect((0..<50).contains { _ in Self.elapsed { word.wait(while: 7, for: 2_000_000) } >= 2_000_000 })
      #expect(Self.elapsed { word.wait(while: 8, for: 100_000_000_000) } < 50_000_000_000)
    }

    @Test("All threads that sleep on a word are woken, and not only one")
    func wakeAll() {
      let word = Word(0), group = DispatchGroup(), sleepers = Guarded<[String]>([])
      for _ in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
          sleepers.withLock { $0.append("/proc/\(name ?? "")/stat") }
          while word.value == 0 { word.wait(while: 0, for: 60_000_000_000) }
          group.leave()
        }
      }
      while !sleepers.withLock({ $0.count == 3 && $0.allSatisfy(Self.isAsleep) }) { sched_yield() }

      let time = Self.elapsed {
        word.value = 1
        word.wakeAll()
        group.wait()
      }

      #expect(time < 30_000_000_000)
    }

    private static func isAsleep(_ status: String) -> Bool {
      let text = try? String(contentsOfFile: status, encoding: .utf8)
      return text?.split(separator: ")").last?.hasPrefix(" S") ?? false
    }

    @Test("The clock goes on with the system's, to the nanosecond, and is never zero")
    func clock() {
      var before = timespec(), after = timespec()
      clock_gettime(CLOCK_MONOTONIC, &before)
      let now = cthreads_nanoseconds()
      clock_gettime(CLOCK_MONOTONIC, &after)
      let bounds = [before, after].map { UInt64($0.tv_sec) * 1_000_000_000 + UInt64($0.tv_nsec) + 1 }

      #expect(bounds[0] <= now && now <= bounds[1])
    }

    @Test("A thread that is started takes no signals, and leaves the signals of its starter as they were")
    func signals() {
      let report = Report()
      let before = SignalMask.current

      #expect(report.run())

      #expect(SignalMask.current == before)
      for signal in [SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGCHLD] {
        #expect(report.mask.withLock { $0.contains(signal) }, "\(signal)")
      }
    }

    @Test("A thread knows the queue whose work it does, and none if it does no queue's")
    func queues() {
      func label() -> String { String(cString: cthreads_queue_label()) }
      let report = Report()

      #expect(report.run())
      #expect(report.label.withLock { $0 } == "")
      #expect(DispatchQueue(label: "a queue").sync { label() } == "a queue")
      #expect(DispatchQueue.global(qos: .utility).sync { label() } == "com.apple.root.utility-qos")
    }

    @Test("A value that a thread leaves to itself comes back to it alone")
    func own() {
      elsewhere {
        let (one, two) = (UnsafeMutableRawPointer(bitPattern: 16), UnsafeMutableRawPointer(bitPattern: 32))
        let first = cthreads_swap_waiting(one), second = cthreads_swap_waiting(two)
        let third = cthreads_swap_waiting(nil), fourth = cthreads_swap_waiting(nil)
        #expect(first == nil && second == one && third == two && fourth == nil)
        #expect([1, 1, -1, 0, -1].map { cthreads_letting_go($0) } == [1, 2, 1, 1, 0])
        #expect([3, 5, 0, 0].map { cthreads_swap_subscribing($0) } == [0, 3, 5, 0])

        _ = (cthreads_swap_subscribing(9), cthreads_letting_go(1))
        elsewhere { #expect(cthreads_swap_subscribing(0) == 0 && cthreads_letting_go(0) == 0) }
        #expect(cthreads_swap_subscribing(0) == 9 && cthreads_letting_go(-1) == 0)
      }
    }

    @Test("Threads are numbered in the order in which they ask, from two on if they are not the main one")
    func numbers() async {
      await #expect(processExitsWith: .success) {
        var numbers: [[UInt32]] = []
        for _ in 0..<3 {
          let report = Report()
          guard report.run() else { exit(2) }
          numbers.append(report.numbers.withLock { $0 })
        }
        guard numbers == [[2, 2], [3, 3], [4, 4]] else { exit(3) }
      }
    }

    @Test(
      "A thread that is started gives its memory back, and so does one that is not to be had",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"),
      .enabled(if: !isEmulated, "an emulator has memory of its own"))
    func memory() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        let started = Heap.leaked(each: 100) { if !Report().run() { exit(2) } }
        guard started <= 16 else { exit(3) }

        AddressSpace.close()
        // The system keeps the stacks of threads that have ended for others.
        var count = 0
        func startAll() { while cthreads_start({ _ in while true { pause() } }, nil) != 0 { count += 1 } }
        startAll()
        // Each time, since a thread from above may end late.
        let refused = Heap.leaked(each: 100) { startAll() }
        AddressSpace.open()
        guard count < 1_000, refused <= 16 else { exit(4) }
      }
    }
  }

  /// A word that threads sleep on.
  private final class Word: Sendable {
    private let word: Atomic<UInt32>

    init(_ value: UInt32) { word = Atomic(value) }

    var value: UInt32 {
      get { word.load(ordering: .relaxed) }
      set { word.store(newValue, ordering: .relaxed) }
    }

    func wait(while value: UInt32, for nanoseconds: UInt64) {
      withUnsafePointer(to: word) {
        cthreads_wait_briefly(UnsafeMutableRawPointer(mutating: $0), value, nanoseconds)
      }
    }

    func wakeAll() {
      withUnsafePointer(to: word) { cthreads_wake_all(UnsafeMutableRawPointer(mutating: $0)) }
    }
  }

  /// What a thread finds that was started, and was given its starter's errand.
  private final class Report: Sendable {
    let mask = Guarded<Set<Int32>>([])
    let label = Guarded("none")
    let numbers = Guarded<[UInt32]>([])
    private let isDone = DispatchSemaphore(value: 0)

    /// False if there was no thread.
    func run() -> Bool {
      let started = cthreads_start(
        { context in
          let report = Unmanaged<Report>.fromOpaque(context!).takeUnretainedValue()
          report.mask.withLock { $0 = SignalMask.current }
          report.label.withLock { $0 = String(cString: cthreads_queue_label()) }
          report.numbers.withLock { $0 = [cthreads_number(), cthreads_number()] }
          report.isDone.signal()
        }, Unmanaged.passUnretained(self).toOpaque())
      guard started == 1 else { return false }
      isDone.wait()
      return true
    }
  }

  private enum SignalMask {
    /// The signals that the calling thread does not take.
    static var current: Set<Int32> {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return Set((1..<32).filter { sigismember(&mask, $0) == 1 })
    }
  }

  private enum AddressSpace {
    /// Nothing more can be mapped from now on: no stack either.
    static func close() { set(4_096) }
    static func open() { set(.max) }

    private static func set(_ bytes: rlim_t) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, bytes)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
  }
#endif
