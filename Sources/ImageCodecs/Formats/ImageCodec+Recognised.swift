/// Formats that errors can name.
extension ImageCodec {
  static let jpeg2000 = ImageCodec(
    extensions: ["jp2", "j2k", "jpx", "jpf"], mimeTypes: ["image/jp2", "image/jpx"],
    signatures: [
      [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], [0xFF, 0x4F, 0xFF, 0x51],
    ])
  static let mp4 = ImageCodec(
    extensions: ["mp4"], mimeTypes: ["video/mp4"],
    brands: ["mp41", "mp42", "isom", "iso2", "iso5", "iso6", "avc1"])
  static let m4v = ImageCodec(
    extensions: ["m4v"], mimeTypes: ["video/x-m4v"], brands: ["M4V ", "M4VH", "M4VP"])
  static let mov = ImageCodec(extensions: ["mov", "qt"], mimeTypes: ["video/quicktime"], brands: ["qt  "])
}
