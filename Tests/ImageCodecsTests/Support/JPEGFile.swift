/// A JPEG of one block a component, each of one level, written by hand: right or wrong.
struct JPEGFile {
  var frameMarker: UInt8 = 0xC0
  var precision: UInt8 = 8
  var width = 8
  var height = 8
  var levels: [Int] = [128]
  var sampling: UInt8 = 0x11
  var adobeTransform: UInt8?
  var hasQuantization = true
  var dcCodeCounts: [UInt8] = [0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  var componentsInFrame: Int?
  var scansSeparately = false
  var beforeFrame: [UInt8] = []
  var afterScan: [UInt8] = []
  var hasEnd = true

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(payload.count + 2, count: 2) + payload
  }

  var frame: [UInt8] {
    let count = componentsInFrame ?? levels.count
    var payload = [precision] + big(height, count: 2) + big(width, count: 2) + [UInt8(count)]
    for index in 0..<count { payload += [UInt8(index + 1), sampling, 0] }
    return JPEGFile.segment(frameMarker, payload)
  }

  var bytes: [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8]
    if let adobeTransform {
      file += JPEGFile.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform])
    }
    if hasQuantization { file += JPEGFile.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) }
    file += beforeFrame + frame
    file += JPEGFile.segment(0xC4, [0x00] + dcCodeCounts + (0..<12).map { UInt8($0) })
    file += JPEGFile.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    if scansSeparately {
      for index in levels.indices { file += scan([index]) }
    } else {
      file += scan(Array(levels.indices))
    }
    return file + afterScan + (hasEnd ? [0xFF, 0xD9] : [])
  }

  func scan(_ components: [Int]) -> [UInt8] {
    var header = [UInt8(components.count)]
    for index in components { header += [UInt8(index + 1), 0] }
    header += [0, 63, 0]
    return JPEGFile.segment(0xDA, header) + JPEGFile.entropy(components.map { levels[$0] })
  }

  /// The difference from middle gray in twelve categories of four bits each, then "nothing more".
  private static func entropy(_ levels: [Int]) -> [UInt8] {
    var bits: [UInt8] = []
    for level in levels {
      let value = 8 * (level - 128)
      let category = Int.bitWidth - abs(value).leadingZeroBitCount
      let code = value < 0 ? value + (1 << category) - 1 : value
      bits += (0..<4).reversed().map { UInt8(category >> $0 & 1) }
      bits += (0..<category).reversed().map { UInt8(code >> $0 & 1) }
      bits.append(0)
    }
    while bits.count % 8 != 0 { bits.append(1) }
    return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
      let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      return byte == 0xFF ? [0xFF, 0x00] : [byte]
    }
  }
}

extension [UInt8] {
  /// A JPEG with segments added behind its first two bytes.
  func addingToJPEG(_ segments: [UInt8]) -> [UInt8] { Array(self[..<2]) + segments + Array(self[2...]) }
}
