import Foundation
import StreamImages

/// A picture of the gallery, and where its original is to be had.
struct Photo: Sendable {
  let name: String
  let url: URL
  /// Stands for the bytes in the caches of all instances; another for other bytes.
  let identity: String
  /// In pixels; `nil` for what cannot be had.
  let size: PixelSize?
}

extension Photo {
  /// Stands for the bytes in addresses.
  var version: String { String("\(Fingerprint(of: Data(identity.utf8)))".prefix(16)) }

  /// The pictures among the files, and in the folders, that these paths name.
  static func found(at paths: [String]) throws -> [Photo] {
    let manager = FileManager.default
    return try paths.flatMap { path -> [Photo] in
      var isFolder: ObjCBool = false
      guard manager.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path])
      }
      guard isFolder.boolValue else { return try [Photo(file: path)].compactMap(\.self) }
      return try manager.contentsOfDirectory(atPath: path).sorted()
        .compactMap { try Photo(file: "\(path)/\($0)") }
    }
  }

  /// `nil` if it is no picture.
  private init?(file path: String) throws {
    guard ImageFormat(fileExtension: (path as NSString).pathExtension) != nil else { return nil }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    guard let info = try? bytes.withUnsafeBytes({ try ImageDecoder.info(of: $0) }) else { return nil }
    self.init(
      name: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent,
      url: URL(fileURLWithPath: path),
      identity: "file-\(Fingerprint(of: bytes))", size: info.size)
  }
}
