extension ImageEncoder {
  static func encodeJPEG(
    _ image: Image, quality: Double, isProgressive: Bool
  ) throws(ImageCodecError) -> [UInt8] {
    var file: [UInt8] = []
    let writer = JPEGWriter(
      width: image.width, height: image.height, pixelFormat: image.pixelFormat, quality: quality / 100,
      isProgressive: isProgressive, colorSpace: image.colorSpace)
    do {
      try writer.write { y, row in
        image.withUnsafeBytes { pixels in
          row.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[y * row.count..<(y + 1) * row.count]))
        }
      } output: { bytes in
        file.append(contentsOf: bytes)
      }
    } catch let error as ImageCodecError {
      throw error
    } catch {
      throw .encodingFailed("\(error)")
    }
    return file
  }
}
