import Foundation
import StreamImages
import StreamImagesS3

/// The store of `Store/server.py`: one process for all tests, which ends with this one.
struct ObjectStore: Sendable {
  private struct Report: Decodable {
    let port: Int
    let owner: [String]
    let stranger: [String]
  }

  struct Unavailable: Error {}

  let url: URL
  let owner: S3Credentials
  let stranger: S3Credentials

  /// The Python that has moto: `Scripts/integrations` installs one.
  static let python = ProcessInfo.processInfo.environment["STREAMS_S3_PYTHON"]

  static let shared = Result { try ObjectStore() }

  // The process reads from the other end of this pipe, and ends when it is closed.
  private static let input = Pipe()

  private init() throws {
    guard let python = Self.python else { throw Unavailable() }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Store/server.py").path
    ]
    (process.standardInput, process.standardOutput) = (Self.input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte.first != UInt8(ascii: "\n") {
      line += byte
    }
    let report = try JSONDecoder().decode(Report.self, from: line)
    url = URL(string: "http://127.0.0.1:\(report.port)")!
    owner = S3Credentials(accessKey: report.owner[0], secretKey: report.owner[1])
    stranger = S3Credentials(accessKey: report.stranger[0], secretKey: report.stranger[1])
  }

  func endpoint(_ credentials: S3Credentials? = nil) -> S3Endpoint {
    let credentials = credentials ?? owner
    return S3Endpoint(url: url, credentials: S3CredentialsSource { credentials })
  }
}
