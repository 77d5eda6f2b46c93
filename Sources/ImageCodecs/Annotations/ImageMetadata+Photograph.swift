extension ImageMetadata {
  /// A camera or a lens.
  public struct Equipment: Sendable, Hashable {
    /// The manufacturer.
    public var make: String?
    /// The model.
    public var model: String?
    /// The number of this piece. It identifies the photographs of one camera.
    public var serialNumber: String?
  }

  /// How a photograph was exposed.
  public struct Exposure: Sendable, Hashable {
    /// The time, in seconds.
    public var time: Fraction?
    /// The f-number.
    public var fNumber: Double?
    /// The sensitivity (ISO).
    public var sensitivity: Int?
    /// The correction of the exposure, in steps (EV).
    public var bias: Double?
    /// The focal length, in millimeters.
    public var focalLength: Double?
    /// The focal length with the same field of view on film of 35 mm, in millimeters.
    public var focalLengthIn35mmFilm: Int?
    /// Whether the flash fired.
    public var flashFired: Bool?
    /// The number of the program in the Exif standard: 1 is manual, 2 normal, 3 gives priority to the aperture, 4 to the time.
    public var program: Int?
    /// The number of the metering mode in the Exif standard.
    public var meteringMode: Int?
  }

  /// A position by satellite (GPS).
  public struct Location: Sendable, Hashable {
    /// Degrees, positive in the north.
    public var latitude: Double
    /// Degrees, positive in the east.
    public var longitude: Double
    /// Meters, negative below the sea.
    public var altitude: Double?
    /// The direction of view in degrees from the north, clockwise: true or magnetic, as `GPSImgDirectionRef` says.
    public var direction: Double?
    /// When the position was taken, in UTC.
    public var time: CalendarTime?
  }

  /// The orientation in Exif; `.up` if it is missing or not valid. AVIF and HEIC are turned by other means, see ``ImageInfo``.
  public var orientation: ImageOrientation {
    exif?["Orientation"]?.integer.flatMap { ImageOrientation(rawValue: $0) } ?? .up
  }

  /// The camera.
  public var camera: Equipment {
    Equipment(make: exifText("Make"), model: exifText("Model"), serialNumber: exifText("BodySerialNumber"))
  }

  /// The lens.
  public var lens: Equipment {
    Equipment(
      make: exifText("LensMake"), model: exifText("LensModel"), serialNumber: exifText("LensSerialNumber"))
  }

  /// The exposure.
  public var exposure: Exposure {
    var exposure = Exposure()
    exposure.time = exif?["ExposureTime"]?.fraction
    exposure.fNumber = exif?["FNumber"]?.fraction?.value
    exposure.sensitivity = exif?["PhotographicSensitivity"]?.integer
    // Above 65,534, the number is in another tag.
    if exposure.sensitivity == 65_535 {
      exposure.sensitivity =
        ["RecommendedExposureIndex", "StandardOutputSensitivity", "ISOSpeed"].lazy
        .compactMap { exif?[$0]?.integer }.first
    }
    exposure.bias = exif?["ExposureBiasValue"]?.fraction?.value
    exposure.focalLength = exif?["FocalLength"]?.fraction?.value
    exposure.focalLengthIn35mmFilm = exif?["FocalLengthIn35mmFilm"]?.integer
    exposure.flashFired = exif?["Flash"]?.integer.map { $0 & 1 == 1 }
    exposure.program = exif?["ExposureProgram"]?.integer
    exposure.meteringMode = exif?["MeteringMode"]?.integer
    return exposure
  }

  /// When the photograph was taken: of Exif, XMP or IPTC, in this order.
  public var taken: CalendarTime? {
    exifTime("DateTimeOriginal", "SubSecTimeOriginal", "OffsetTimeOriginal")
      ?? xmpText(XMPNamespace.photoshop, "DateCreated").flatMap { CalendarTime(text: $0) } ?? iptcTime
  }

  /// When it became a file: later than ``taken`` if it was scanned.
  public var digitized: CalendarTime? {
    exifTime("DateTimeDigitized", "SubSecTimeDigitized", "OffsetTimeDigitized")
      ?? xmpText(XMPNamespace.basic, "CreateDate").flatMap { CalendarTime(text: $0) }
  }

  /// When the file was last changed.
  public var modified: CalendarTime? {
    exifTime("DateTime", "SubSecTime", "OffsetTime")
      ?? xmpText(XMPNamespace.basic, "ModifyDate").flatMap { CalendarTime(text: $0) }
  }

  /// Where the photograph was taken, of Exif. `nil` unless there are a latitude and a longitude that exist on Earth.
  public var location: Location? {
    guard let latitude = degrees("GPSLatitude", below: "S", limit: 90),
      let longitude = degrees("GPSLongitude", below: "W", limit: 180)
    else { return nil }
    var location = Location(latitude: latitude, longitude: longitude)
    if let altitude = exif?["GPSAltitude"]?.fraction?.value {
      let reference: Int? =
        if case .bytes(let bytes)? = exif?["GPSAltitudeRef"] {
          bytes.first.map { Int($0) }
        } else {
          exif?["GPSAltitudeRef"]?.integer
        }
      location.altitude = reference == 1 ? -altitude : altitude
    }
    location.direction = exif?["GPSImgDirection"]?.fraction?.value
    location.time = satelliteTime
    return location
  }

  // MARK: Parts

  private func exifText(_ name: String) -> String? { exif?[name]?.trimmedText }

  private func exifTime(_ name: String, _ fraction: String, _ offset: String) -> CalendarTime? {
    guard let text = exifText(name) else { return nil }
    return CalendarTime(text: text, fraction: exifText(fraction), offset: exifText(offset))
  }

  private var iptcTime: CalendarTime? {
    // YYYYMMDD and HHMMSS±HHMM.
    guard let date = iptc?[55].first, date.count == 8, date.allSatisfy(\.isASCII) else { return nil }
    var text = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
    if let time = iptc?[60].first, time.count >= 6 {
      let clock = Array(time.prefix(6))
      text += "T\(clock[0])\(clock[1]):\(clock[2])\(clock[3]):\(clock[4])\(clock[5])\(time.dropFirst(6))"
    }
    return CalendarTime(text: text)
  }

  private func degrees(_ name: String, below: String, limit: Double) -> Double? {
    guard case .fractions(let parts)? = exif?[name], !parts.isEmpty else { return nil }
    var (sum, unit) = (0.0, 1.0)
    for part in parts.prefix(3) {
      // A missing minute or second has a denominator of zero.
      sum += (part.value ?? 0) / unit
      unit *= 60
    }
    guard parts[0].denominator != 0, (0...limit).contains(sum) else { return nil }
    return exifText(name + "Ref")?.uppercased() == below ? -sum : sum
  }

  private var satelliteTime: CalendarTime? {
    guard let date = exifText("GPSDateStamp"), case .fractions(let parts)? = exif?["GPSTimeStamp"],
      parts.count == 3,
      let hour = parts[0].value, let minute = parts[1].value, let second = parts[2].value
    else { return nil }
    let total = hour * 3_600 + minute * 60 + second
    guard var time = CalendarTime(text: date), (0..<86_400).contains(total) else { return nil }
    let whole = Int(total)
    (time.hour, time.minute, time.second) = (whole / 3_600, whole / 60 % 60, whole % 60)
    time.nanosecond = min(Int(((total - Double(whole)) * 1e9).rounded()), 999_999_999)
    time.offset = 0
    return time
  }
}
