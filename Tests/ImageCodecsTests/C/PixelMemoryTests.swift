import CCodecs
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Memory for pixels")
struct PixelMemoryTests {
  @Test("New pixels are zero, also where others were before, in the heap and beside it")
  func zeros() throws {
    for count in [1, 1_000, 128 * 1024 - 1, 128 * 1024, 1 << 20] {
      for _ in 0..<3 {
        let pixels = try #require(codec_allocate_pixels(count))
        #expect(UnsafeRawBufferPointer(start: pixels, count: count).allSatisfy { $0 == 0 })
        pixels.initializeMemory(as: UInt8.self, repeating: 7, count: count)
        codec_free_pixels(pixels, count)
      }
    }
  }

  @Test(
    "Pixels of no bytes have an address, and those that no memory can hold have none",
    .enabled(if: !isSanitized, "a sanitizer ends the process instead"))
  func sizes() {
    for allocate in [codec_allocate, codec_allocate_pixels, codec_allocate_unset_pixels] {
      let none = allocate(0)
      #expect(none != nil)
      codec_free(none)
      #expect(allocate(1 << 60) == nil)
    }
    #expect(
      codec_allocate_aligned(-1) == nil && codec_allocate_aligned(-65) == nil
        && codec_allocate_aligned(1 << 60) == nil)
  }

  @Test("Aligned memory begins at 64 bytes, and has as many bytes as are asked for")
  func alignment() throws {
    for count in [0, 1, 63, 64, 65, 1_000, 4_096, 100_000] {
      let blocks = try (0..<8).map { _ in try #require(codec_allocate_aligned(count)) }
      for (number, block) in blocks.enumerated() {
        block.initializeMemory(as: UInt8.self, repeating: UInt8(number), count: count)
      }
      for (number, block) in blocks.enumerated() {
        #expect(Int(bitPattern: block) % 64 == 0)
        #expect(UnsafeRawBufferPointer(start: block, count: count).allSatisfy { $0 == UInt8(number) })
        codec_free(block)
      }
    }
  }

  @Test("Bytes are equal if all of them are")
  func equality() {
    let bytes: [UInt8] = [1, 2, 3, 4]

    for (other, count) in [([1, 2, 3, 4], 4), ([1, 2, 3, 9], 3), ([9], 0)] as [([UInt8], Int)] {
      #expect(codec_equal(bytes, other, count))
    }
    for other in [[1, 2, 3, 3], [1, 2, 3, 5], [0, 2, 3, 4]] as [[UInt8]] {
      #expect(!codec_equal(bytes, other, 4))
    }
  }

  #if canImport(Glibc)
    @Test(
      "Pixels have pages of their own from 128 KiB on, or from the size that a process sets",
      .enabled(if: !isSanitized, "with a sanitizer, pixels are in the heap"))
    func pages() async {
      #expect(isPaged(128 * 1024) && !isPaged(128 * 1024 - 1))
      await #expect(processExitsWith: .success) {
        codec_keep_pixels_in_heap(1 << 20)
        guard isPaged(1 << 20), !isPaged((1 << 20) - 1), !isPaged(128 * 1024) else { exit(2) }
      }
    }
  #endif
}

#if canImport(Glibc)
  /// Memory of the heap has a header before it.
  private func isPaged(_ count: Int) -> Bool {
    let pixels = codec_allocate_pixels(count)
    defer { codec_free_pixels(pixels, count) }
    return Int(bitPattern: pixels) % 4_096 == 0
  }
#endif
