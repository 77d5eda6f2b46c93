import CCodecs
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

// Memory is lent to a thread, and no test here suspends.
@Suite("Lent pixel memory")
struct LentMemoryTests {
  /// The largest pages of all systems.
  private let page = 1 << 16

  /// Lends some pages during `body`.
  private func lending(_ pages: Int, _ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: pages * page, alignment: page)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: pages * page)
    codec_lend_pixels(memory, pages * page)
    defer {
      _ = codec_end_lending()
      memory.deallocate()
    }
    try body(memory)
  }

  @Test("Lent memory can be allocated completely, but not beyond its end")
  func whole() {
    lending(4) { memory in
      #expect(codec_allocate_lent(4 * page + 1) == nil)
      #expect(codec_allocate_lent(4 * page) == memory)
      #expect(codec_allocate_lent(1) == nil)
    }
    #expect(codec_allocate_lent(1) == nil)
  }

  @Test("Lent memory is allocated in whole pages from the first gap that fits")
  func gaps() throws {
    try lending(8) { memory in
      let one = try #require(codec_allocate_lent(page))
      let two = try #require(codec_allocate_lent(page + 1))
      let three = try #require(codec_allocate_lent(3 * page))
      #expect([one, two, three].map { $0 - memory } == [0, page, 3 * page])

      #expect(codec_free_lent(two))
      #expect(codec_allocate_lent(3 * page) == nil)
      #expect(codec_allocate_lent(2 * page) == two)
      #expect(codec_free_lent(one))
      #expect(codec_allocate_lent(page) == one)
      #expect(codec_free_lent(two))
      #expect(codec_free_lent(three))
      #expect(codec_allocate_lent(7 * page) == two)
    }
  }

  @Test(
    "Freed lent memory is zeroed, and addresses outside a block are rejected",
    .enabled(if: !isEmulated, "an emulator keeps memory that is given back"))
  func release() throws {
    try lending(4) { memory in
      let one = try #require(codec_allocate_lent(2 * page)), two = try #require(codec_allocate_lent(page))
      one.initializeMemory(as: UInt8.self, repeating: 7, count: 2 * page)
      two.initializeMemory(as: UInt8.self, repeating: 9, count: page)

      #expect(
        !codec_free_lent(one + 1) && !codec_free_lent(memory - 1) && !codec_free_lent(memory + 4 * page))
      #expect(codec_free_lent(one))

      let bytes = UnsafeRawBufferPointer(start: memory, count: 3 * page)
      #expect(bytes[..<(2 * page)].allSatisfy { $0 == 0 } && bytes[(2 * page)...].allSatisfy { $0 == 9 })
      #expect(!codec_free_lent(one))
      #expect(codec_free_lent(two))
      #expect(codec_end_lending())
    }
  }

  @Test("Kept lent memory stays allocated, and the end of lending reports blocks in use")
  func keeping() throws {
    try lending(4) { _ in
      let one = try #require(codec_allocate_lent(page)), two = try #require(codec_allocate_lent(page))
      var offset = 99, place = 99

      #expect(codec_keep_lent(two, &offset) && offset == page)
      #expect(!codec_keep_lent(two + 1, &offset))
      #expect(codec_take_lent(page, &place) != nil && place == 2 * page)
      #expect(codec_free_lent(two))
      // What is kept is still there.
      #expect(codec_allocate_lent(page).map { $0 - one } == 3 * page)
      #expect(codec_is_lending() && !codec_end_lending() && !codec_is_lending())
    }
  }

  @Test("Lent memory holds at most 32 blocks and rejects sizes that overflow")
  func bounds() throws {
    lending(40) { memory in
      for number in 0..<32 { #expect(codec_allocate_lent(1) == memory + number * page) }
      #expect(codec_allocate_lent(1) == nil)
    }
    lending(1) { memory in
      codec_lend_pixels(memory, Int(bitPattern: .max))
      #expect(codec_allocate_lent(Int(bitPattern: .max - 9)) == nil)
    }
  }

  @Test(
    "Large pixels are in lent memory while there is room, and return to it",
    .enabled(if: !isSanitized, "with a sanitizer, pixels are in the heap"))
  func pixels() throws {
    try lending(40) { memory in
      let large = try #require(codec_allocate_pixels(128 * 1024)),
        small = codec_allocate_pixels(128 * 1024 - 1)
      let more = codec_allocate_unset_pixels(128 * 1024)

      #expect(large == memory && small != memory + 128 * 1024 && more != nil)
      codec_free_pixels(small, 128 * 1024 - 1)
      codec_free_pixels(more, 128 * 1024)
      codec_free_pixels(large, 128 * 1024)
      #expect(memory.load(as: UInt8.self) == 0 && codec_allocate_lent(40 * page) == memory)
      #expect(codec_free_lent(memory))
    }
  }

  #if os(Linux)
    @Test(
      "Freed file-backed memory returns its pages to the system and reads as zero",
      .enabled(if: !isEmulated, "an emulator keeps memory that is given back"))
    func pages() throws {
      let count = 16 * page
      let name = "/lent-\(getpid())"
      let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
      try #require(file >= 0 && shm_unlink(name) == 0 && ftruncate(file, count) == 0)
      defer { close(file) }
      let memory = try #require(mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
      defer { munmap(memory, count) }
      codec_lend_pixels(memory, count)
      defer { _ = codec_end_lending() }
      let pixels = try #require(codec_allocate_lent(count))
      pixels.initializeMemory(as: UInt8.self, repeating: 7, count: count)

      #expect(codec_free_lent(pixels))

      var status = stat()
      #expect(fstat(file, &status) == 0 && status.st_blocks == 0)
      #expect(UnsafeRawBufferPointer(start: memory, count: count).allSatisfy { $0 == 0 })
    }
  #endif

  #if canImport(Glibc)
    @Test(
      "Freed pixel memory is unmapped",
      .enabled(if: !isSanitized, "with a sanitizer, pixels are in the heap"))
    func mappings() async {
      await #expect(processExitsWith: .success) {
        let count = 1 << 20
        guard let pixels = codec_allocate_pixels(count) else { exit(2) }
        var pages = [UInt8](repeating: 0, count: count / 4096)
        guard mincore(pixels, count, &pages) == 0 else { exit(3) }
        codec_free_pixels(pixels, count)
        // Nothing is mapped there any more.
        guard mincore(pixels, count, &pages) == -1, errno == ENOMEM else { exit(4) }
        codec_free_pixels(nil, count)
        codec_free_pixels(nil, 1)
      }
    }
  #endif
}
