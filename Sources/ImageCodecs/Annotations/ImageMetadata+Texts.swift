extension ImageMetadata {
  // Each is that of XMP, IPTC, Exif or PNG, the first that there is: what people write is in XMP and IPTC, and what cameras write
  // is in Exif.

  /// The title. Of XMP, IPTC or a PNG's texts, in this order.
  public var title: String? {
    xmpText(XMPNamespace.dublinCore, "title") ?? iptc?[5].first ?? texts["Title"]?.trimmed
  }

  /// What the image shows. Of XMP, IPTC, Exif or a PNG's texts, in this order.
  public var caption: String? {
    xmpText(XMPNamespace.dublinCore, "description") ?? iptc?[120].first
      ?? exif?["ImageDescription"]?.trimmedText ?? texts["Description"]?.trimmed
  }

  /// Who made the image. Of XMP, IPTC, Exif, where semicolons separate names, or a PNG's texts, in this order.
  public var creators: [String] {
    let found = xmpTexts(XMPNamespace.dublinCore, "creator")
    if !found.isEmpty { return found }
    if let names = iptc?[80], !names.isEmpty { return names }
    let names = exif?["Artist"]?.trimmedText ?? texts["Author"]?.trimmed
    return names.map { $0.split(separator: ";").compactMap { String($0).trimmed } } ?? []
  }

  /// The notice of the copyright. Of XMP, IPTC, Exif or a PNG's texts, in this order.
  public var copyright: String? {
    xmpText(XMPNamespace.dublinCore, "rights") ?? iptc?[116].first ?? exif?["Copyright"]?.trimmedText
      ?? texts["Copyright"]?.trimmed
  }

  /// Under which terms the image may be used, in XMP.
  public var usageTerms: String? { xmpText(XMPNamespace.rights, "UsageTerms") }

  /// The address of a page about the rights, in XMP.
  public var rightsPage: String? { xmpText(XMPNamespace.rights, "WebStatement") }

  /// Whom to name beside the image. Of XMP or IPTC.
  public var credit: String? { xmpText(XMPNamespace.photoshop, "Credit") ?? iptc?[110].first }

  /// Who owned the image first. Of XMP or IPTC.
  public var source: String? { xmpText(XMPNamespace.photoshop, "Source") ?? iptc?[115].first }

  /// How the image was made, as an address of the IPTC, for example whether an algorithm generated it. In XMP.
  public var digitalSourceType: String? { xmpText(XMPNamespace.iptcExtension, "DigitalSourceType") }

  /// The keywords. Of XMP or IPTC.
  public var keywords: [String] {
    let found = xmpTexts(XMPNamespace.dublinCore, "subject")
    return found.isEmpty ? iptc?[25] ?? [] : found
  }

  /// From 0 to 5 stars; -1 means rejected. Of XMP or Exif.
  public var rating: Int? {
    xmpText(XMPNamespace.basic, "Rating").flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
      ?? exif?["Rating"]?.integer
  }

  /// The program that wrote the file. Of XMP, Exif or a PNG's texts.
  public var software: String? {
    xmpText(XMPNamespace.basic, "CreatorTool") ?? exif?["Software"]?.trimmedText ?? texts["Software"]?.trimmed
  }

  /// The city that somebody wrote, not a position. Of XMP or IPTC.
  public var city: String? { xmpText(XMPNamespace.photoshop, "City") ?? iptc?[90].first }

  /// The country that somebody wrote. Of XMP or IPTC.
  public var country: String? { xmpText(XMPNamespace.photoshop, "Country") ?? iptc?[101].first }

  func xmpText(_ address: String, _ name: String) -> String? { xmp?.values(address, name).first }

  private func xmpTexts(_ address: String, _ name: String) -> [String] { xmp?.values(address, name) ?? [] }
}
