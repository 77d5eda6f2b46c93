import Foundation
import ImageCodecs

/// The program exiftool, and how its values compare with ours.
enum Exiftool {
  private static let path = ["/usr/bin/exiftool", "/usr/local/bin/exiftool", "/opt/homebrew/bin/exiftool"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  static let isThere = path != nil
  static let samples = ProcessInfo.processInfo.environment["EXIFTOOL_SAMPLES"]

  static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  static func scratch(_ bytes: [UInt8], _ ending: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(ending)")
    try Data(bytes).write(to: file)
    return file.path
  }

  static func remove(_ file: String) { try? FileManager.default.removeItem(atPath: file) }

  static func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// Tags, and values that exiftool writes in its own notation.
  static let assignments = [
    "IFD0:ImageDescription=Café on the quay", "Make=Streams", "IFD0:Model=S-1", "Orientation#=6",
    "XResolution=300",
    "YResolution=300", "ResolutionUnit#=2", "IFD0:Software=Pen 2.1", "ModifyDate=2024:05:02 08:00:01",
    "Artist=Ada; Grace", "HostComputer=desk", "IFD0:Rating=4", "IFD0:Copyright=(c) 2024 Ada",
    "XPTitle=Überschrift",
    "ExposureTime=1/320", "FNumber=5.6", "ExposureProgram#=3", "SpectralSensitivity=none", "ISO=800",
    "SensitivityType#=2", "StandardOutputSensitivity=800", "RecommendedExposureIndex=800", "ISOSpeed=800",
    "DateTimeOriginal=2024:05:01 12:30:15", "CreateDate=2024:05:01 12:30:16", "OffsetTime=+02:00",
    "OffsetTimeOriginal=-03:30", "OffsetTimeDigitized=+00:00", "ShutterSpeedValue=1/320", "ApertureValue=5.6",
    "BrightnessValue=3.25", "ExposureCompensation=-0.667", "MaxApertureValue=2.8", "SubjectDistance=4.5",
    "MeteringMode#=5", "LightSource#=9", "Flash#=16", "FocalLength=85", "SubjectArea=10 20 30 40",
    "UserComment=Grüße vom Kai", "SubSecTime=1", "SubSecTimeOriginal=250", "SubSecTimeDigitized=75",
    "AmbientTemperature=21.5", "Humidity=40", "Pressure=1013", "ColorSpace#=1", "ExifImageWidth=640",
    "ExifImageHeight=480", "FlashEnergy=2.5", "FocalPlaneXResolution=3000", "FocalPlaneYResolution=3000",
    "FocalPlaneResolutionUnit#=2", "SubjectLocation=5 6", "ExposureIndex=800", "SensingMethod#=2",
    "FileSource#=3",
    "SceneType#=1", "CustomRendered#=1", "ExposureMode#=1", "WhiteBalance#=1", "DigitalZoomRatio=1.5",
    "FocalLengthIn35mmFormat=128", "SceneCaptureType#=2", "GainControl#=1", "Contrast#=1", "Saturation#=2",
    "Sharpness#=1", "SubjectDistanceRange#=3", "ImageUniqueID=00112233445566778899aabbccddeeff",
    "OwnerName=Ada",
    "SerialNumber=SN-1", "LensInfo=24 105 4 4", "LensMake=Glass", "LensModel=24-105", "LensSerialNumber=L-9",
    "GPSLatitude=33.8599", "GPSLatitudeRef=S", "GPSLongitude=151.2111", "GPSLongitudeRef=E",
    "GPSAltitude=12.5",
    "GPSAltitudeRef#=1", "GPSTimeStamp=02:30:15.25", "GPSDateStamp=2024:05:01", "GPSImgDirection=271.5",
    "GPSImgDirectionRef=T", "GPSSpeed=3.5", "GPSSpeedRef=K", "GPSMapDatum=WGS-84", "GPSDOP=1.2",
    "GPSProcessingMethod=GPS", "GPSHPositioningError=4", "InteropIndex=R98",
    "XMP-dc:Title=Kai", "XMP-dc:Description=Ein Café", "XMP-dc:Creator=Ada", "XMP-dc:Creator=Grace",
    "XMP-dc:Rights=All rights & more", "XMP-dc:Subject=coast", "XMP-dc:Subject=night <sea>",
    "XMP-xmpRights:UsageTerms=Ask", "XMP-xmpRights:WebStatement=https://example.com/a?b&c",
    "XMP-xmp:Rating=3",
    "XMP-xmp:CreatorTool=Pen", "XMP-photoshop:City=Sydney", "XMP-photoshop:Country=Australia",
    "XMP-photoshop:Credit=Agency", "XMP-photoshop:Source=Ada", "XMP-exif:GPSLatitude=33.8599",
    "XMP-exif:GPSLongitude=151.2111", "IPTC:ObjectName=Quay", "IPTC:Caption-Abstract=Am Kai: Café",
    "IPTC:By-line=Ada L.", "IPTC:CopyrightNotice=© 2024", "IPTC:Keywords=coast", "IPTC:Keywords=night",
    "IPTC:City=Sydney", "IPTC:Country-PrimaryLocationName=Australia", "IPTC:Credit=Agency", "IPTC:Source=Ada",
  ]

  /// The values that both have, and what differs: those that only one of them has do too.
  static func compare(_ file: String) throws -> (count: Int, differences: [String]) {
    let text = try run(["-j", "-n", "-G1", "-struct", "-charset", "iptc=utf8", "-charset", "exif=utf8", file])
    guard let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]],
      let found = list.first
    else { return (0, ["no report"]) }
    let metadata = try ImageMetadata(of: bytes(file))
    var (count, differences) = (0, [String]())
    for (name, mine) in values(metadata) {
      guard let theirs = found[name] else { continue }
      count += 1
      if !isSame(mine, string(theirs)) { differences.append("\(name): \(mine) instead of \(string(theirs))") }
    }
    let names = Set(values(metadata).keys)
    for name in found.keys where isExpected(name, metadata) && !names.contains(name) {
      differences.append("\(name) is missing")
    }
    return (count, differences.sorted())
  }

  private static func isExpected(_ name: String, _ metadata: ImageMetadata) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let directory = groups.first(where: { $0.value == parts[0] })?.key else {
      return false
    }
    let own = exiftoolNames.first { $0.value == parts[1] }?.key ?? parts[1]
    return ExifTag(own)?.directory == directory && own != "MakerNote"
  }

  private static let groups: [ExifTag.Directory: String] = [
    .image: "IFD0", .photo: "ExifIFD", .location: "GPS", .interoperability: "InteropIFD",
  ]

  private static let exiftoolNames = [
    "DateTime": "ModifyDate", "DateTimeDigitized": "CreateDate", "PhotographicSensitivity": "ISO",
    "PixelXDimension": "ExifImageWidth", "PixelYDimension": "ExifImageHeight",
    "ExposureBiasValue": "ExposureCompensation", "FocalLengthIn35mmFilm": "FocalLengthIn35mmFormat",
    "BodySerialNumber": "SerialNumber", "CameraOwnerName": "OwnerName", "LensSpecification": "LensInfo",
    "InteroperabilityIndex": "InteropIndex", "InteroperabilityVersion": "InteropVersion",
    "Temperature": "AmbientTemperature",
  ]

  private static func values(_ metadata: ImageMetadata) -> [String: String] {
    var values: [String: String] = [:]
    for tag in metadata.exif?.tags ?? [] {
      guard let name = tag.name, name != "MakerNote", let group = groups[tag.directory],
        let exif = metadata.exif,
        let value = exif[tag]
      else { continue }
      values["\(group):\(exiftoolNames[name] ?? name)"] = text(value, name, exif)
    }
    let xmp = { (group: String, name: String, texts: [String]) in
      if !texts.isEmpty { values["XMP-\(group):\(name)"] = texts.joined(separator: "|") }
    }
    let dublinCore = "http://purl.org/dc/elements/1.1/"
    for (name, property) in [("Title", "title"), ("Description", "description"), ("Rights", "rights")] {
      xmp("dc", name, Array((metadata.xmp?.values(dublinCore, property) ?? []).prefix(1)))
    }
    xmp("dc", "Creator", metadata.xmp?.values(dublinCore, "creator") ?? [])
    xmp("dc", "Subject", metadata.xmp?.values(dublinCore, "subject") ?? [])
    xmp("xmpRights", "UsageTerms", [metadata.usageTerms].compactMap { $0 })
    xmp("xmpRights", "WebStatement", [metadata.rightsPage].compactMap { $0 })
    for name in ["City", "Country", "Credit", "Source"] {
      xmp("photoshop", name, metadata.xmp?.values("http://ns.adobe.com/photoshop/1.0/", name) ?? [])
    }
    for name in ["Rating", "CreatorTool"] {
      xmp("xmp", name, metadata.xmp?.values("http://ns.adobe.com/xap/1.0/", name) ?? [])
    }
    let iptc: [(UInt8, String)] = [
      (5, "ObjectName"), (120, "Caption-Abstract"), (80, "By-line"), (116, "CopyrightNotice"),
      (25, "Keywords"),
      (90, "City"), (101, "Country-PrimaryLocationName"), (110, "Credit"), (115, "Source"),
    ]
    for (number, name) in iptc {
      let texts = metadata.iptc?[number] ?? []
      if !texts.isEmpty { values["IPTC:\(name)"] = texts.joined(separator: "|") }
    }
    return values
  }

  /// A value as exiftool prints it with `-n`, which converts a few.
  private static func text(_ value: ExifValue, _ name: String, _ exif: ExifData) -> String {
    let listed = { (numbers: [Double?]) in
      numbers.map { $0.map { "\($0)" } ?? "undef" }.joined(separator: " ")
    }
    switch value {
    case .text(let text): return text
    case .integers(let numbers) where name.hasPrefix("XP"):
      let units = stride(from: 0, to: numbers.count - 1, by: 2).map {
        UInt16(numbers[$0] | numbers[$0 + 1] << 8)
      }
      return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    case .integers(let numbers): return numbers.map(String.init).joined(separator: " ")
    case .numbers(let numbers): return listed(numbers)
    case .bytes(let bytes):
      switch name {
      case "ExifVersion", "FlashpixVersion", "InteroperabilityVersion":
        return String(decoding: bytes, as: UTF8.self)
      // Sigma's has four bytes, which exiftool takes for text.
      case "FileSource" where bytes.count > 1:
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      case "UserComment": return exif.userComment ?? ""
      case "GPSProcessingMethod", "GPSAreaInformation":
        return String(decoding: bytes.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
      default: return bytes.map { "\($0)" }.joined(separator: " ")
      }
    case .fractions(let fractions):
      let numbers = fractions.map(\.value)
      switch name {
      case "ShutterSpeedValue": return listed(numbers.map { $0.map { abs($0) < 100 ? pow(2, -$0) : 0 } })
      case "ApertureValue", "MaxApertureValue": return listed(numbers.map { $0.map { pow(2, $0 / 2) } })
      case "GPSLatitude", "GPSLongitude", "GPSDestLatitude", "GPSDestLongitude":
        if numbers.allSatisfy({ $0 == nil }) { return "" }
        return listed([zip(numbers, [1.0, 60, 3_600]).reduce(0) { $0 + ($1.0 ?? 0) / $1.1 }])
      case "GPSTimeStamp":
        let parts = numbers.map { $0 ?? 0 }
        guard parts.count == 3 else { return listed(numbers) }
        let digits = { (number: Double) in
          (number < 10 ? "0" : "") + (number.rounded() == number ? "\(Int(number))" : "\(number)")
        }
        return parts.map(digits).joined(separator: ":")
      default: return listed(numbers)
      }
    }
  }

  private static func string(_ value: Any) -> String {
    if let list = value as? [Any] { return list.map(string).joined(separator: "|") }
    return "\(value)"
  }

  /// Numbers may be printed with fewer digits.
  private static func isSame(_ mine: String, _ theirs: String) -> Bool {
    let words = (mine.split(separator: " "), theirs.split(separator: " "))
    if words.0.count == words.1.count, !words.0.isEmpty {
      let isSame = zip(words.0, words.1).allSatisfy { left, right in
        if left == right { return true }
        guard let left = Double(left), let right = Double(right) else { return false }
        return abs(left - right) <= max(1e-6, abs(right) * 1e-5)
      }
      if isSame { return true }
    }
    return mine.trimmingCharacters(in: .whitespacesAndNewlines)
      == theirs.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
