public import Foundation

/// The key of a user of an object store.
public struct S3Credentials: Sendable, Hashable {
  /// The public part.
  public var accessKey: String
  /// The secret part. It is used to sign, and never sent.
  public var secretKey: String
  /// The token of temporary credentials.
  public var sessionToken: String?
  /// When temporary credentials end. They are asked for again five minutes earlier.
  public var expiration: Date?

  /// Creates credentials.
  public init(accessKey: String, secretKey: String, sessionToken: String? = nil, expiration: Date? = nil) {
    (self.accessKey, self.secretKey) = (accessKey, secretKey)
    (self.sessionToken, self.expiration) = (sessionToken, expiration)
  }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The public part only.
  public var description: String { "credentials of \(accessKey)" }
  /// The public part only.
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}

/// Why there are no credentials.
public enum S3CredentialsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The environment does not have this variable.
  case missingVariable(String)
  /// The file cannot be read.
  case unreadableFile(path: String)
  /// The file does not have a complete profile of this name.
  case missingProfile(String, path: String)

  public var description: String {
    switch self {
    case .missingVariable(let name): "The environment has no \(name)."
    case .unreadableFile(let path): "The file \(path) cannot be read."
    case .missingProfile(let name, let path): "The file \(path) has no complete profile \"\(name)\"."
    }
  }
}

/// A source of credentials.
public struct S3CredentialsSource: Sendable {
  /// Returns credentials, or `nil` for requests without a signature.
  public let credentials: @Sendable () async throws -> S3Credentials?

  /// Creates a source from a closure, for example one that asks a metadata service.
  ///
  /// It is called for the first request, once five minutes are left of ``S3Credentials/expiration``, and after a request was
  /// refused with the status 401 or 403. Concurrent requests share one call, which is cancelled with the last of them. If it
  /// throws, they fail with `DataLoadingError.refused`.
  public init(_ credentials: @escaping @Sendable () async throws -> S3Credentials?) {
    self.credentials = credentials
  }

  /// Requests are not signed. For public objects.
  public static var anonymous: S3CredentialsSource { S3CredentialsSource { nil } }

  /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if it is there, `AWS_SESSION_TOKEN` of the environment. Empty ones
  /// count as missing.
  public static var environment: S3CredentialsSource {
    S3CredentialsSource { try environmentCredentials(ProcessInfo.processInfo.environment) }
  }

  package static func environmentCredentials(_ environment: [String: String]) throws -> S3Credentials {
    // Compose files and charts set a variable to nothing if they have no value for it.
    let environment = environment.filter { !$0.value.isEmpty }
    func value(_ name: String) throws -> String {
      guard let value = environment[name] else { throw S3CredentialsError.missingVariable(name) }
      return value
    }
    return S3Credentials(
      accessKey: try value("AWS_ACCESS_KEY_ID"), secretKey: try value("AWS_SECRET_ACCESS_KEY"),
      sessionToken: environment["AWS_SESSION_TOKEN"])
  }

  /// A profile of a credentials file, as the command line tools of AWS write it.
  ///
  /// - Parameters:
  ///   - file: `nil` for the file that `AWS_SHARED_CREDENTIALS_FILE` names, or else `~/.aws/credentials`.
  ///   - profile: The name of the profile.
  public static func file(_ file: URL? = nil, profile: String = "default") -> S3CredentialsSource {
    S3CredentialsSource {
      let named = ProcessInfo.processInfo.environment["AWS_SHARED_CREDENTIALS_FILE"].map { URL(filePath: $0) }
      let file =
        file ?? named ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".aws/credentials")
      let path = file.path(percentEncoded: false)
      guard let text = try? String(contentsOf: file, encoding: .utf8) else {
        throw S3CredentialsError.unreadableFile(path: path)
      }
      let values = values(of: profile, in: text)
      guard let accessKey = values["aws_access_key_id"], let secretKey = values["aws_secret_access_key"]
      else {
        throw S3CredentialsError.missingProfile(profile, path: path)
      }
      return S3Credentials(
        accessKey: accessKey, secretKey: secretKey, sessionToken: values["aws_session_token"])
    }
  }

  private static func values(of profile: String, in text: String) -> [String: String] {
    var isInside = false
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("[") {
        isInside = line.dropFirst().prefix { $0 != "]" }.trimmingCharacters(in: .whitespaces) == profile
      } else if isInside, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
        let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        values[name] = value.isEmpty ? nil : value
      }
    }
    return values
  }
}

/// The credentials that were used last. Concurrent requests share one call of the source.
actor CurrentCredentials {
  private typealias Answer = Result<S3Credentials?, any Error>

  private struct Call {
    let task: Task<Void, Never>
    var waiting: [Int: AsyncStream<Answer>.Continuation] = [:]
  }

  private let source: S3CredentialsSource
  private var known: S3Credentials??
  private var call: Call?
  private var lastID = 0

  init(_ source: S3CredentialsSource) { self.source = source }

  func value(now: Date) async throws -> S3Credentials? {
    if let known, (known?.expiration).map({ $0 > now + 300 }) ?? true { return known }
    lastID += 1
    let id = lastID
    let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
    if call == nil { call = Call(task: Task.detached(priority: Task.currentPriority) { await self.ask() }) }
    call?.waiting[id] = continuation
    for await answer in answers { return try answer.get() }
    leave(id)
    throw CancellationError()
  }

  private func ask() async {
    let answer: Answer
    do { answer = .success(try await source.credentials()) } catch { answer = .failure(error) }
    // Nobody waits for it any more, and there may be another call.
    guard !Task.isCancelled else { return }
    if case .success(let found) = answer { known = .some(found) }
    for (_, continuation) in call.take()?.waiting ?? [:] { continuation.yield(answer) }
  }

  /// A request was cancelled. With the last one, the call of the source is.
  private func leave(_ id: Int) {
    guard call?.waiting.removeValue(forKey: id) != nil, call?.waiting.isEmpty == true else { return }
    call.take()?.task.cancel()
  }

  /// They were refused: the next request asks for new ones.
  func forget(_ refused: S3Credentials?) { if known == .some(refused) { known = nil } }
}
