internal import ArgumentParser
internal import Foundation
internal import StreamImages
internal import StreamImagesS3

struct SourceOptions: ParsableArguments {
  @Option(help: "A host that images may come from, such as *.example.com or example.com:8080; * for all.")
  var allow: [String] = []

  @Flag(help: "Loads from loopback and private addresses as well: for tests, or a storage of your own.")
  var privateAddresses = false

  @Option(help: "A folder whose images have URLs such as local:///photos/a.jpg.")
  var folder: String?

  @Option(
    help:
      "A bucket whose images have URLs such as s3://bucket/photos/a.jpg. Credentials are those of AWS's tools."
  )
  var bucket: [String] = []

  @Option(help: "A bucket where several servers keep their thumbnails.")
  var sharedBucket: String?

  @Option(help: "The address of the object store, such as https://minio.example; by default that of AWS.")
  var s3Endpoint: String?

  @Option(help: "The region of the object store.")
  var s3Region = "us-east-1"

  @Option(help: "Where credentials of the object store come from: environment, file or none.")
  var s3Credentials = Credentials.environment

  enum Credentials: String, ExpressibleByArgument, CaseIterable {
    case environment, file, none
  }

  func validate() throws {
    guard !allow.isEmpty || folder != nil || !bucket.isEmpty else {
      throw ValidationError("There is no source of images. Name one by --allow, --folder or --bucket.")
    }
  }

  func hosts() throws -> HostPolicy {
    guard !allow.contains("*") else { return .any }
    return HostPolicy(
      allowing: try allow.map { text in
        guard let pattern = HostPolicy.Pattern(text) else { throw ValidationError("\(text) is not a host.") }
        return pattern
      })
  }

  func apply(to settings: inout Thumbnails.Settings) throws {
    if privateAddresses { settings.addresses = .any }
    settings.buckets = Set(bucket)
    settings.sharedBucket = sharedBucket
    if !bucket.isEmpty || sharedBucket != nil { settings.store = try store() }
    if let folder {
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue
      else { throw ValidationError("\(folder) is not a folder.") }
      settings.folder = URL(filePath: folder, directoryHint: .isDirectory)
    }
  }

  private func store() throws -> S3Endpoint {
    let source: S3CredentialsSource =
      switch s3Credentials {
      case .environment: .environment
      case .file: .file()
      case .none: .anonymous
      }
    guard let s3Endpoint else { return .aws(region: s3Region, credentials: source) }
    guard let url = URL(string: s3Endpoint), ["http", "https"].contains(url.scheme ?? ""), url.host != nil
    else { throw ValidationError("\(s3Endpoint) is not the address of an object store.") }
    return S3Endpoint(url: url, region: s3Region, credentials: source)
  }
}
