#if os(Linux)
  import Foundation
  import StreamImages
  import Testing

  /// Directories that are made if they are missing.
  @Suite("New directories", .timeLimit(.minutes(1))) struct DirectoryMakingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.url.path(percentEncoded: false)
      _ = try folder.file("file", Data([1, 2, 3]))
      try #require(mkdir(path + "/directory", 0o700) == 0)
      for (name, target) in [("linked", "directory"), ("dangling", "nowhere")] {
        try #require(symlink(target, "\(path)/\(name)") == 0)
      }
    }

    @Test("A directory is made if it is missing, and an error names the call that failed")
    func making() throws {
      let folder = try FileDescriptor.directory(path)
      let long = String(repeating: "a", count: 300)
      for name in ["directory", "new", "new"] {
        let made = try folder.makeDirectory(name)
        let status = try made.status()
        #expect(status.isDirectory && status.isOurs)
      }
      let removed = try folder.makeDirectory("removed")
      try folder.removeDirectory("removed")

      for (name, error) in [
        ("file", "open \(ENOTDIR)"), ("dangling/", "open \(ENOENT)"), (long, "open \(ENAMETOOLONG)"),
      ] {
        #expect(refusal { () throws(SystemError) in _ = try folder.makeDirectory(name) } == error)
      }
      #expect(refusal { () throws(SystemError) in _ = try removed.makeDirectory("a") } == "mkdir \(ENOENT)")
    }

    @Test("The parents of a directory are made if they are missing, and an error names the call that failed")
    func makingPaths() throws {
      for name in ["directory", "a/b/c", "a/b/c", "linked/d"] {
        let made = try FileDescriptor.makeDirectories("\(path)/\(name)")
        let status = try made.status()
        #expect(status.isDirectory && status.isOurs)
      }
      let long = String(repeating: "a", count: 300)
      for (name, error) in [
        ("\(path)/file/a", "open \(ENOTDIR)"), ("\(path)/dangling", "open \(ENOENT)"),
        ("\(path)/\(long)", "open \(ENAMETOOLONG)"), ("/proc/none", "mkdir \(ENOENT)"),
      ] {
        #expect(refusal { () throws(SystemError) in _ = try FileDescriptor.makeDirectories(name) } == error)
      }
    }

    @Test("A relative path is made in the current directory")
    func relative() async {
      // In a process of its own, as it changes its directory.
      await #expect(processExitsWith: .success) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        precondition(mkdir(folder.path, 0o700) == 0 && chdir(folder.path) == 0)
        for synchronizes in [false, true] {
          _ = try FileDescriptor.makeDirectories("a\(synchronizes)/b", synchronizes: synchronizes)
          _ = try FileDescriptor.makeDirectories("c\(synchronizes)", synchronizes: synchronizes)
        }
        let current = try FileDescriptor.directory(".")
        let names = try current.names().sorted()
        precondition(names == ["afalse", "atrue", "cfalse", "ctrue"])
        try FileManager.default.removeItem(at: folder)
      }
    }

    @Test("New directories are brought to the disk if that is wanted, and only then")
    func synchronized() throws {
      let worker = try Worker("directories", path)
      let said = worker.lines()
      #expect(worker.ending() == 0)
      // Where the kernel cannot be made to refuse it, there is nothing to see.
      guard said != ["impossible"] else { return }

      #expect(
        said == [
          "usual made", "synchronized fsync", "there made", "usual path made", "synchronized path fsync",
          "path that is there made",
        ])
    }
  }
#endif
