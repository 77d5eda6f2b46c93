#if os(Linux)
  import Foundation
  import StreamImages
  import Testing

  /// A folder with one of each kind of entry.
  @Suite("File descriptors", .timeLimit(.minutes(1))) struct FileDescriptorTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.url.path(percentEncoded: false)
      _ = try folder.file("file", Data([1, 2, 3]))
      try #require(mkdir(path + "/directory", 0o700) == 0)
      try #require(mkfifo(path + "/pipe", 0o600) == 0)
      for (name, target) in [("link", "file"), ("linked", "directory"), ("dangling", "nowhere")] {
        try #require(symlink(target, "\(path)/\(name)") == 0)
      }
    }

    /// The error of opening, or 0. What is open is closed by programs that are started.
    private func code(_ open: () throws(SystemError) -> FileDescriptor) -> CInt {
      do throws(SystemError) {
        let opened = try open()
        #expect(fcntl(opened.number, F_GETFD) & FD_CLOEXEC != 0)
        return 0
      } catch {
        return error.code
      }
    }

    @Test(
      "Each way to open a file takes the kinds that it is for, without waiting, and follows no link in a folder"
    )
    func opening() throws {
      let folder = try FileDescriptor.directory(path)
      let names = ["file", "directory", "pipe", "link", "linked", "missing"]

      #expect(
        names.map { name in code { () throws(SystemError) in try .directory("\(path)/\(name)") } }
          == [ENOTDIR, 0, ENOTDIR, ENOTDIR, 0, ENOENT])
      #expect(
        names.map { name in code { () throws(SystemError) in try folder.directory(name) } }
          == [ENOTDIR, 0, ENOTDIR, ENOTDIR, ENOTDIR, ENOENT])
      #expect(
        names.map { name in code { () throws(SystemError) in try .file("\(path)/\(name)") } }
          == [0, 0, 0, ELOOP, ELOOP, ENOENT])
      #expect(
        names.map { name in code { () throws(SystemError) in try folder.file(name) } }
          == [0, 0, 0, ELOOP, ELOOP, ENOENT])
      #expect(
        names.map { name in code { () throws(SystemError) in try folder.newFile(name) } }
          == [EEXIST, EEXIST, EEXIST, EEXIST, EEXIST, 0])
      try folder.remove("missing")
      #expect(
        names.map { name in code { () throws(SystemError) in try folder.watch(name) } }
          == [0, EISDIR, 0, ELOOP, ELOOP, 0])
    }

    @Test("Both parts are written one after the other, and read from any place up to the end")
    func contents() throws {
      let folder = try FileDescriptor.directory(path)
      for (head, data) in [(0, 0), (0, 1), (1, 0), (1, 1), (3, 4), (5, 2), (70_000, 90_001)] {
        let whole = pattern(head + data)
        let file = try folder.newFile("new")
        try file.writeWhole(whole.prefix(head), whole.suffix(data))

        #expect(try file.status().size == whole.count)
        #expect(try file.read(whole.count) == whole)
        #expect(try file.read(whole.count + 10) == whole)
        for (count, place) in [(1, 0), (1, 1), (2, 1), (4, 2), (100_000, 3), (0, 0), (-1, 0)] {
          let expected = whole.dropFirst(place).prefix(max(0, count))
          // As if a call had failed before.
          errno = EIO
          let found = try file.read(count, at: place)
          #expect(found == expected)
        }
        try folder.remove("new")
      }
      let file = try folder.file("file")
      #expect(
        refusal { () throws(SystemError) in try file.writeWhole(Data(), Data([1])) } == "write \(EBADF)")
      #expect(refusal { () throws(SystemError) in _ = try folder.read(10) } == "read \(EISDIR)")
    }

    @Test(
      "A file that is delivered in small pieces is read whole",
      .enabled(if: FileManager.default.isReadableFile(atPath: "/sys/kernel/btf/vmlinux")))
    func pieces() throws {
      // The kernel delivers 4 KiB at a time.
      let types = "/sys/kernel/btf/vmlinux"
      let whole = try Data(contentsOf: URL(filePath: types))
      let file = try FileDescriptor.file(types)

      let part = try file.read(20_001, at: 5)

      #expect(part == whole[5..<20_006])
    }

    @Test("Only what can be brought to the disk is synchronized")
    func synchronizing() throws {
      let folder = try FileDescriptor.directory(path)
      let file = try folder.file("file")
      let pipe = try folder.file("pipe")

      try file.synchronize()
      try folder.synchronize()
      #expect(refusal { () throws(SystemError) in try pipe.synchronize() } == "fsync \(EINVAL)")
    }

    @Test("The time of a file is set to the nanosecond, and that of a link is its own")
    func times() throws {
      let folder = try FileDescriptor.directory(path)
      let file = try folder.file("file")
      for time in [0, 1, 999_999_999, 1_000_000_000, 1_700_000_000_123_456_789] {
        try file.touch(time)
        #expect(try file.status().modified == time)
        try folder.touch("link", time + 7)
        #expect(try folder.status(of: "link").modified == time + 7)
        #expect(try file.status().modified == time)
        try folder.touch("file", time + 9)
        #expect(try FileDescriptor.status(ofPath: path + "/file").modified == time + 9)
      }
      #expect(refusal { () throws(SystemError) in try folder.touch("missing", 0) } == "utimensat \(ENOENT)")
    }

    @Test("A file is locked by one descriptor at a time, until that is closed")
    func locks() throws {
      let folder = try FileDescriptor.directory(path)
      let first = try folder.watch("watch")
      do {
        let second = try folder.watch("watch")
        let outcomes = [second.lock(), first.lock(), second.lock()]
        #expect(outcomes == [true, false, true])
      }
      let isFree = first.lock()
      #expect(isFree)
    }

    @Test("Entries are renamed, linked and removed, and what they are is reported without following links")
    func entries() throws {
      let folder = try FileDescriptor.directory(path)
      let other = try folder.makeDirectory("other")
      func names() throws -> [String] { try folder.names().sorted() }
      let before = try names()
      #expect(before == ["dangling", "directory", "file", "link", "linked", "other", "pipe"])

      try folder.link("file", as: "second")
      #expect(try folder.status(of: "second").links == 2)
      #expect(refusal { () throws(SystemError) in try folder.link("file", as: "pipe") } == "link \(EEXIST)")
      try folder.rename("second", to: other, as: "moved")
      #expect(try other.names() == ["moved"])
      #expect(
        refusal { () throws(SystemError) in try folder.removeDirectory("other") } == "rmdir \(ENOTEMPTY)")
      try other.remove("moved")
      #expect(refusal { () throws(SystemError) in try other.remove("moved") } == "unlink \(ENOENT)")
      try folder.removeDirectory("other")
      #expect(try names() == before.filter { $0 != "other" })

      for (name, isRegular, isDirectory) in [
        ("file", true, false), ("directory", false, true), ("pipe", false, false), ("link", false, false),
        ("linked", false, false),
      ] {
        for status in [try folder.status(of: name), try FileDescriptor.status(ofPath: "\(path)/\(name)")] {
          #expect(status.isRegular == isRegular && status.isDirectory == isDirectory)
        }
      }
      #expect(try FileDescriptor.status(ofPath: path + "/link", followsLink: true).isRegular)
      #expect(try FileDescriptor.status(ofPath: path + "/linked", followsLink: true).isDirectory)
      #expect(refusal { () throws(SystemError) in _ = try folder.status(of: "no") } == "fstatat \(ENOENT)")
      #expect(
        refusal { () throws(SystemError) in _ = try FileDescriptor.status(ofPath: path + "/no") }
          == "stat \(ENOENT)")
    }

    @Test("A file is renamed to a free name with links and without, and never replaces another file")
    func freeNames() throws {
      let folder = try FileDescriptor.directory(path)
      let before = try folder.names().sorted()
      for links in [true, false] {
        let content = Data("\(links)".utf8)
        try folder.newFile("draft").writeWhole(Data(), content)
        for taken in ["file", "directory", "pipe", "dangling"] {
          let refused = refusal { () throws(SystemError) in
            try folder.rename("draft", toFree: taken, links: links)
          }
          #expect(refused?.hasSuffix(" \(EEXIST)") == true, "\(links) \(taken)")
        }
        #expect(try Data(contentsOf: URL(filePath: path + "/file")) == Data([1, 2, 3]))

        try folder.rename("draft", toFree: "final", links: links)

        let names = try folder.names().sorted()
        #expect(names == (before + ["final"]).sorted(), "\(links)")
        #expect(try Data(contentsOf: URL(filePath: path + "/final")) == content)
        try folder.remove("final")
      }
      // What cannot be renamed leaves no empty file.
      let missing = refusal { () throws(SystemError) in
        try folder.rename("no", toFree: "new", links: false)
      }
      #expect(try missing == "rename \(ENOENT)" && folder.names().sorted() == before)
    }

    @Test("Codes of file systems that lack a call are told from those of other failures")
    func unsupported() {
      for code in [EPERM, EINVAL, ENOSYS, ENOTSUP, EEXIST, EACCES, ENOSPC, ENOENT, EROFS] {
        let isUnsupported = SystemError(operation: "link", path: nil, code: code).isUnsupported
        #expect(isUnsupported == [EPERM, EINVAL, ENOSYS, ENOTSUP].contains(code))
      }
    }

    @Test(
      "Descriptors are closed when they are released, and those that list a folder when a program is started")
    func closed() throws {
      do {
        let folder = try FileDescriptor.directory(path)
        for _ in 0..<3 { _ = try folder.names() }
        #expect(Descriptors.count(of: path) == 1)
        let reader = try folder.reader()
        let numbers = Descriptors.numbers(of: path)
        #expect(numbers.count == 2)
        #expect(numbers.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        _ = consume reader
      }
      #expect(Descriptors.count(of: path) == 0)
    }
  }
#endif
