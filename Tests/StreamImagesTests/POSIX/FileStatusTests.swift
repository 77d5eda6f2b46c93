#if os(Linux)
  import Foundation
  import StreamImages
  import TestSupport
  import Testing

  /// What is known about files, and about calls that fail.
  @Suite("Facts about files") struct FileStatusTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.url.path(percentEncoded: false)
    }

    private func bytes(_ path: String) -> [CChar] { Array(path.utf8CString) }

    @Test("A time before 1970 is that year, and one that cannot be counted is the last second that can")
    func times() {
      let last = 9_223_372_035
      for (seconds, counted) in [
        (Int.min, 0), (-1, 0), (0, 0), (1, 1), (last - 1, last - 1), (last, last), (last + 1, last),
        (.max, last),
      ] {
        for nanoseconds in [0, 5, 999_999_999] {
          #expect(FileStatus.nanoseconds(seconds, nanoseconds) == counted * 1_000_000_000 + nanoseconds)
        }
      }
    }

    @Test("A file is ours if no group and no other user may change it")
    func modes() throws {
      let file = try folder.file("a", Data([1, 2]))
      for (mode, isOurs) in [
        (0o600, true), (0o644, true), (0o755, true), (0o620, false), (0o602, false), (0o666, false),
      ] as [(mode_t, Bool)] {
        try #require(chmod(file.path, mode) == 0)
        #expect(try FileDescriptor.status(ofPath: file.path).isOurs == isOurs)
      }
    }

    @Test(
      "A file of another user is not ours", .enabled(if: geteuid() != 0 || canBecomeOthers, "root owns all"))
    func owners() throws {
      var other = "/etc/passwd"
      if geteuid() == 0 {
        other = try folder.file("a", Data()).path
        try #require(chmod(other, 0o600) == 0 && chown(other, 12_345, 12_345) == 0)
      }

      #expect(try !FileDescriptor.status(ofPath: other).isOurs)
    }

    @Test("A version is current while the path leads to the same file, with the same size and time")
    func versions() throws {
      let file = try folder.file("a", Data([1, 2])).path
      func version(_ name: String) throws -> FileVersion {
        FileVersion(path: bytes(name), try #require(FileStatus(following: bytes(name))))
      }
      func touch(_ time: Int) throws { try FileDescriptor.file(file).touch(time) }
      // There from the beginning, so that it cannot have the number of one that was removed.
      _ = try folder.file("b", Data([3, 4]))
      try touch(1_000)
      let first = try version(file)
      let same = try version(file)
      #expect(first.isCurrent && first == same && first.hashValue == same.hashValue)

      try touch(1_001)
      let later = try version(file)
      #expect(!first.isCurrent && first != later && later.isCurrent)
      try touch(1_000)
      #expect(first.isCurrent)
      try #require(truncate(file, 1) == 0)
      try touch(1_000)
      #expect(!first.isCurrent)
      try #require(unlink(file) == 0)
      #expect(!first.isCurrent && FileStatus(following: bytes(file)) == nil)

      // Another file of that name, and another name of that file.
      try FileDescriptor.directory(path).link("b", as: "c")
      #expect(try version(path + "/b") != version(path + "/c"))
      try #require(rename(path + "/b", file) == 0)
      try touch(1_000)
      #expect(!first.isCurrent)
    }

    @Test("The entries of a folder are listed, whatever dots they have, and not the folder and its parent")
    func names() throws {
      let names = ["a", "b.", ".c", "d.e", "..", ".", "...", "..f", ".g.", "hi", "j..", "k.l", ".mn", "ü"]
      for name in names where name != "." && name != ".." { _ = try folder.file(name, Data()) }

      let found = try FileDescriptor.directory(path).names()

      #expect(found.sorted() == names.filter { $0 != "." && $0 != ".." }.sorted())
    }

    @Test("A descriptor that is no directory cannot be listed, and is closed")
    func notListed() throws {
      let file = try folder.file("a", Data()).path
      let number = open(file, O_RDONLY)

      let error = #expect(throws: SystemError.self) { _ = try DirectoryReader(number) }

      #expect(error?.operation == "fdopendir" && error?.code == ENOTDIR)
      #expect(Descriptors.count(of: file) == 0)
    }

    @Test("An error of the system belongs to the kinds that its code has, and tells what failed")
    func errors() {
      let kinds: [(SystemError) -> Bool] = [
        \.isDistrust, \.isMissing, \.isTaken, \.isFull, \.isDirectoryInTheWay, \.isOutOfReach,
      ]
      for (error, kind) in [
        (ENOENT, 1), (EEXIST, 2), (ENOSPC, 3), (EDQUOT, 3), (EISDIR, 4), (EACCES, 5), (EPERM, 5), (EROFS, 5),
        (ENOTDIR, 5), (EIO, nil), (0, nil),
      ] as [(CInt, Int?)] {
        let error = SystemError(operation: "open", path: nil, code: error)
        #expect(kinds.indices.filter { kinds[$0](error) } == [kind].compactMap(\.self))
      }
      #expect(kinds.indices.filter { kinds[$0](SystemError.distrust("/a")) } == [0, 5])
      let missing = SystemError(operation: "open", path: "/a", code: ENOENT)
      #expect("\(missing)" == "open /a: No such file or directory")
      #expect("\(SystemError(operation: "read", path: nil, code: EIO))" == "read: Input/output error")
    }

    @Test("The wall clock is that of Foundation, in nanoseconds")
    func clock() {
      func now() -> Int { Int(Date().timeIntervalSince1970 * 1_000_000) }
      for _ in 0..<10 {
        let before = now()
        let time = wallClock() / 1_000
        let after = now()
        #expect(before - 2 <= time && time <= after + 2)
      }
    }

    @Test(
      "A folder can be written to if it can be read, changed and entered",
      .enabled(if: geteuid() != 0 || canBecomeOthers, "root may do all of it"))
    func writable() async {
      // In a process of its own, as it gives up being root.
      await #expect(processExitsWith: .success) {
        if getuid() == 0 { precondition(setuid(65_534) == 0) }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        precondition(mkdir(folder, 0o700) == 0)
        for mode in 0...7 as ClosedRange<mode_t> {
          precondition(chmod(folder, mode << 6) == 0)
          precondition(mayWrite(to: folder) == (mode == 7))
        }
        precondition(rmdir(folder) == 0 && !mayWrite(to: folder))
        _exit(EXIT_SUCCESS)
      }
    }

    @Test(
      "A file that exceeds the limit of the process is an error on a thread of Dispatch, and does not end the process"
    )
    func sizeSignal() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 10, rlim_max: 10)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let (home, name) = (FileManager.default.temporaryDirectory.path, UUID().uuidString)
        let (queue, done) = (DispatchQueue(label: "writing"), DispatchSemaphore(value: 0))
        queue.async {
          let file = try! FileDescriptor.directory(home).watch(name)
          var code: CInt = 0
          do throws(SystemError) { try file.writeWhole(Data(), Data(count: 20)) } catch { code = error.code }
          precondition(code == EFBIG)
          done.signal()
        }
        done.wait()
        precondition(unlink("\(home)/\(name)") == 0)
      }
    }
  }
#endif
