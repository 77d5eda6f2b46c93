#if canImport(Glibc)
  import CCodecs
  import Glibc
  import TestSupport
  import Testing

  /// What work finds that runs quietly.
  private struct Findings {
    var calls = 0
    var thread = pthread_self()
    /// Descriptors up to 63.
    var open: [Int32] = []
    var canWriteErrors = false

    static func quietly() -> (status: CodecStatus, findings: Findings) {
      var findings = Findings()
      let status = withUnsafeMutablePointer(to: &findings) {
        codec_run_quietly(
          { context in
            guard let findings = context?.assumingMemoryBound(to: Findings.self) else { return .corrupt }
            findings.pointee.calls += 1
            findings.pointee.thread = pthread_self()
            findings.pointee.open = (0..<64).filter { fcntl($0, F_GETFD) != -1 }
            findings.pointee.canWriteErrors = write(STDERR_FILENO, "hidden\n", 7) == 7
            return .tooManyScans
          }, $0)
      }
      return (status, findings)
    }

    static func checkWithout(_ descriptor: Int32) {
      close(descriptor)
      guard codec_can_be_quiet() else { exit(2) }
      let (status, findings) = quietly()
      guard status == .tooManyScans, findings.canWriteErrors, findings.open.contains(STDERR_FILENO) else {
        exit(3)
      }
    }
  }

  // In processes of their own: descriptors of other tests would be there, too.
  @Suite(
    "Threads without standard error",
    .enabled(if: !isSanitized, "reports of a sanitizer would be lost"),
    .enabled(if: !isEmulated, "an emulator has descriptors of its own"))
  struct QuietThreadTests {
    @Test("Quiet work runs once, on a thread of its own that has the standard files and no others")
    func files() async {
      await #expect(processExitsWith: .success) {
        let file = open("/dev/null", O_RDWR)
        let (status, findings) = Findings.quietly()
        guard status == .tooManyScans, findings.calls == 1, findings.canWriteErrors else { exit(2) }
        guard pthread_equal(findings.thread, pthread_self()) == 0 else { exit(3) }
        guard fcntl(file, F_GETFD) != -1, fcntl(STDERR_FILENO, F_GETFD) != -1 else { exit(5) }
        // Linux before 5.9 cannot leave the other files out.
        guard findings.open == [0, 1, 2] || findings.open.contains(file) && Kernel.isOld else { exit(4) }
      }
    }

    @Test("Work is quiet also in a program without standard input, or without standard error")
    func missing() async {
      await #expect(processExitsWith: .success) { Findings.checkWithout(STDIN_FILENO) }
      await #expect(processExitsWith: .success) { Findings.checkWithout(STDERR_FILENO) }
    }

    @Test("Work runs as any other in a process that says that it is quiet already")
    func already() async {
      await #expect(processExitsWith: .success) {
        codec_be_quiet_already()
        let (status, findings) = Findings.quietly()
        guard status == .tooManyScans, findings.calls == 1 else { exit(2) }
        guard pthread_equal(findings.thread, pthread_self()) != 0 else { exit(3) }
      }
    }
  }

  private enum Kernel {
    static var isOld: Bool {
      var name = utsname()
      uname(&name)
      let release = withUnsafeBytes(of: &name.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let numbers = release.split(whereSeparator: { !$0.isNumber }).prefix(2).map { Int($0) ?? 0 }
      return numbers.lexicographicallyPrecedes([5, 9])
    }
  }
#endif
