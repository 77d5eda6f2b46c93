#if os(Linux)
  import Dispatch
  import Foundation
  import StreamImages
  import TestSupport
  import Testing

  /// How a file is opened below its roots, and read.
  @Suite("Open files", .timeLimit(.minutes(1))) struct OpenFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      // A name that an encoding would change.
      path = folder.url.path(percentEncoded: false) + "/a b%41ü"
      try FileManager.default.createDirectory(atPath: path + "/c/d/e", withIntermediateDirectories: true)
      for place in ["", "c", "c/d", "c/d/e"] { try pattern(10).write(to: url(place + "/file")) }
      try #require(mkfifo(path + "/pipe", 0o600) == 0)
      for (name, target) in [("link", "c/file"), ("linked", "c"), ("dangling", "nowhere")] {
        try #require(symlink(target, "\(path)/\(name)") == 0)
      }
    }

    private func url(_ place: String) -> URL { URL(filePath: "\(path)/\(place)") }

    private func bytes(_ text: String) -> [CChar] { Array(text.utf8CString) }

    /// Opens names in the folder one below the other, as if nothing had been a link a moment ago.
    private func below(_ names: [String]) -> DataLoadingError? {
      do throws(DataLoadingError) {
        let opened = try OpenFile.open(names.map(bytes), in: bytes(path), path: "path")
        #expect(fcntl(opened.number, F_GETFD) & FD_CLOEXEC != 0)
        return nil
      } catch {
        return error
      }
    }

    @Test(
      "A file at any depth below a root is read, through its path with or without links",
      arguments: [false, true])
    func depths(hasRoots: Bool) throws {
      let roots = hasRoots ? ["/nowhere", path] : nil
      for name in ["file", "c/file", "c/d/file", "c/d/e/file", "c/../c/./d/file", "link", "linked/d/e/file"] {
        // As if a call had been interrupted before.
        errno = EINTR
        let file = try OpenFile(path: Array("\(path)/\(name)".utf8), roots: roots)

        #expect(file.byteCount == 10)
        #expect(try file.read(at: 3, count: 4) == pattern(10)[3..<7])
        let target = url(name).resolvingSymlinksInPath().path(percentEncoded: false)
        #expect(Descriptors.numbers(of: target).map { fcntl($0, F_GETFD) & FD_CLOEXEC } == [FD_CLOEXEC])
        withExtendedLifetime(file) {}
      }
      for place in [path, path + "/c", path + "/c/d", path + "/c/d/e"] {
        #expect(Descriptors.count(of: place) == 0 && Descriptors.count(of: place + "/file") == 0)
      }
    }

    @Test(
      "A path that cannot be opened has an error of its own, and leaves nothing open",
      arguments: [false, true])
    func errors(hasRoots: Bool) {
      for (name, isRegular) in [
        ("missing", true), ("missing/file", true), ("c/missing/file", true), ("file/below", true),
        ("pipe", false),
        ("c", false),
      ] {
        let whole = "\(path)/\(name)"
        let error = #expect(throws: DataLoadingError.self) {
          try OpenFile(path: Array(whole.utf8), roots: hasRoots ? [path] : nil)
        }
        #expect(error == (isRegular ? .fileNotFound(path: whole) : .notARegularFile(path: whole)))
        #expect(Descriptors.count(of: whole) == 0 && Descriptors.count(of: path) == 0)
      }
    }

    @Test("The root itself is no file, and leaves nothing open")
    func filesystem() {
      let before = Descriptors.count(of: "/")
      for path in ["/", "/.", "//"] {
        let error = #expect(throws: DataLoadingError.self) {
          try OpenFile(path: Array(path.utf8), roots: ["/"])
        }
        #expect(error == .notARegularFile(path: path))
      }
      #expect(Descriptors.count(of: "/") == before)
    }

    @Test("A directory that was exchanged for a link, a file or a pipe while a file was opened leads nowhere")
    func exchanged() {
      for names in [["file"], ["c", "file"], ["c", "d", "file"], ["pipe"]] { #expect(below(names) == nil) }
      for names in [["link"], ["linked", "file"], ["c", "file", "x"], ["pipe", "x"], ["dangling", "x"]] {
        #expect(below(names) == .fileOutsideRoots(path: "path"))
      }
      for names in [["x"], ["x", "file"], ["x", "c", "file"], ["c", "x", "d", "file"], ["c", "x"]] {
        #expect(below(names) == .fileNotFound(path: "path"))
      }
      for place in ["", "/c", "/c/d"] { #expect(Descriptors.count(of: path + place) == 0) }
    }

    @Test("A read at the end of a file returns nothing, whatever failed before")
    func end() throws {
      let file = try OpenFile(path: Array("\(path)/file".utf8), roots: nil)
      for (place, count, expected) in [
        (0, 10, 10), (0, 11, 10), (9, 1, 1), (9, 5, 1), (10, 5, 0), (11, 1, 0),
      ] {
        errno = EIO
        #expect(try file.read(at: place, count: count).count == expected)
      }
    }

    @Test(
      "A file that is delivered in small pieces is read in whole chunks",
      .enabled(if: FileManager.default.isReadableFile(atPath: "/sys/kernel/btf/vmlinux")))
    func pieces() throws {
      // The kernel delivers 4 KiB at a time.
      let types = "/sys/kernel/btf/vmlinux"
      let whole = try Data(contentsOf: URL(filePath: types))

      let part = try OpenFile(path: Array(types.utf8), roots: nil).read(at: 5, count: 20_001)

      #expect(part == whole[5..<20_006])
    }

    @Test("A body that is cancelled while its file is read delivers nothing of it")
    func cancelledMeanwhile() async throws {
      let lane = DispatchQueue(label: "lane")
      let file = try OpenFile(path: Array("\(path)/file".utf8), roots: nil)
      let body = FileChunks(of: file, lane: lane, chunkByteCount: 4)
      #expect(try await body.next()?.count == 4)
      lane.suspend()
      let executor = SteppedExecutor()
      let task = Task(executorPreference: executor) {
        await failure { () throws(DataLoadingError) in try await body.next() }
      }
      executor.run()

      // It waits for its lane now.
      body.cancel()
      lane.resume()
      await until { executor.count > 0 }
      executor.run()

      #expect(await task.value == .cancelled)
      for _ in 0..<2 {
        #expect(await failure { () throws(DataLoadingError) in try await body.next() } == .cancelled)
      }
    }

    @Test("The local host is no other host, and a character after zero is part of a name")
    func names() async throws {
      let control = try folder.file("a\u{1}b", pattern(5))
      let file = try #require(URL(string: "file://localhost" + url("file").path()))

      #expect(try await FileLoader().data(for: DataRequest(url: file)).body == pattern(10))
      #expect(try await FileLoader().data(for: DataRequest(url: control)).body == pattern(5))
      let loader = FileLoader(roots: [URL(filePath: path)])
      #expect(try await loader.data(for: DataRequest(url: url("c/d/file"))).body == pattern(10))
    }

    @Test("Files are opened in a process without standard input, where the first of them has its number")
    func withoutInput() async {
      await #expect(processExitsWith: .success) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let home = folder.path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: home + "/b/c/d", withIntermediateDirectories: true)
        for place in ["", "/b", "/b/c", "/b/c/d"] {
          try Data([7]).write(to: URL(filePath: home + place + "/a"))
        }
        close(0)
        for place in ["", "/b", "/b/c", "/b/c/d"] {
          for roots in [nil, [home]] {
            errno = EINTR
            let file = try OpenFile(path: Array((home + place + "/a").utf8), roots: roots)
            let found = try file.read(at: 0, count: 2)
            precondition(found == Data([7]))
          }
        }
        precondition(fcntl(0, F_GETFD) == -1)
        try FileManager.default.removeItem(at: folder)
      }
    }

    @Test(
      "Opening a file below a root keeps no memory",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"))
    func memory() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        let lost = Heap.leaked(each: 100) {
          _ = try? OpenFile(path: Array("/etc/passwd".utf8), roots: ["/etc"])
        }
        guard lost <= 8 else { exit(2) }
      }
    }

    @Test("100 files are read correctly at once")
    func manyAtOnce() async throws {
      let folder = try TemporaryFolder()
      let loader = FileLoader(chunkByteCount: 1000)
      let files = try (0..<100).map { try folder.file("\($0)", pattern(3000, seed: $0)) }

      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for (number, file) in files.enumerated() {
          group.addTask {
            try await loader.data(for: DataRequest(url: file)).body == pattern(3000, seed: number)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      #expect(right == 100)
    }
  }
#endif
