import Foundation
import StreamImages
import StreamImagesS3
import StreamImagesTesting
import StreamsTesting
import Synchronization
import Testing

@Suite("Credentials of an object store")
struct CredentialsTests {
  @Test("The environment has to have both parts of a key")
  func environment() throws {
    var variables = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c"]

    let credentials = try S3CredentialsSource.environmentCredentials(variables)
    variables["AWS_SECRET_ACCESS_KEY"] = ""

    #expect(credentials == S3Credentials(accessKey: "a", secretKey: "b", sessionToken: "c"))
    #expect(throws: S3CredentialsError.missingVariable("AWS_SECRET_ACCESS_KEY")) {
      try S3CredentialsSource.environmentCredentials(variables)
    }
  }

  @Test("A file has a profile, or fails with its name")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "credentials-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try """
    # a comment
    [default]
    aws_access_key_id = first
    [images]
    aws_access_key_id=second
    aws_secret_access_key = with=equals
    """.write(to: file, atomically: true, encoding: .utf8)

    let images = try await S3CredentialsSource.file(file, profile: "images").credentials()

    #expect(images == S3Credentials(accessKey: "second", secretKey: "with=equals"))
    await #expect(throws: S3CredentialsError.missingProfile("default", path: file.path)) {
      try await S3CredentialsSource.file(file).credentials()
    }
    await #expect(throws: S3CredentialsError.unreadableFile(path: "/nowhere/credentials")) {
      try await S3CredentialsSource.file(URL(filePath: "/nowhere/credentials")).credentials()
    }
  }

  @Test("An empty session token is none, and an empty key is a missing one")
  func emptyValues() async throws {
    let variables = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": ""]
    let file = FileManager.default.temporaryDirectory.appending(path: "credentials-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try """
    [images]
    aws_access_key_id = a
    aws_secret_access_key = b
    aws_session_token =
    [default]
    aws_access_key_id =
    aws_secret_access_key = b
    """.write(to: file, atomically: true, encoding: .utf8)

    let read = try await S3CredentialsSource.file(file, profile: "images").credentials()

    #expect(try S3CredentialsSource.environmentCredentials(variables).sessionToken == nil)
    #expect(read == S3Credentials(accessKey: "a", secretKey: "b"))
    await #expect(throws: S3CredentialsError.missingProfile("default", path: file.path)) {
      try await S3CredentialsSource.file(file).credentials()
    }
  }

  @Test("No description shows the secret part")
  func descriptions() {
    let credentials = S3Credentials(accessKey: "public", secretKey: "hidden", sessionToken: "hidden")
    var dumped = ""
    dump(credentials, to: &dumped)

    #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("hidden"))
  }

  @Test("Credentials are asked for once, again before they end, and again after a refusal")
  func renewal() async throws {
    let url = URL(string: "https://s3.example/photos/a")!
    let network = ScriptedLoader()
    network.answer(url, with: Data("a".utf8))
    let journal = Journal()
    let start = Date()
    let source = S3CredentialsSource {
      journal.note("asked")
      return S3Credentials(accessKey: "a", secretKey: "b", expiration: start + 1000)
    }
    let endpoint = S3Endpoint(url: URL(string: "https://s3.example")!, credentials: source)
    let (early, late) = (
      S3Loader(endpoint, loader: network, now: { start }),
      S3Loader(endpoint, loader: network, now: { start + 701 })
    )

    for _ in 0..<2 { _ = try await early.data(for: DataRequest(url: url)) }
    #expect(journal.lines.count == 1)
    for _ in 0..<2 { _ = try await late.data(for: DataRequest(url: url)) }
    #expect(journal.lines.count == 3)
    network.fail(url, with: .status(403, head: LoadedHead(status: 403, url: url)))
    for _ in 0..<2 { _ = try? await early.data(for: DataRequest(url: url)) }

    #expect(journal.lines.count == 4)
  }

  @Test("Credentials are asked for once for several loads that need them at the same time")
  func sharing() async throws {
    let url = URL(string: "https://s3.example/photos/a")!
    let (network, journal, latch) = (ScriptedLoader(), Journal(), Latch())
    network.answer(url, with: Data("a".utf8))
    let source = S3CredentialsSource {
      journal.note("asked")
      await latch.wait()
      return S3Credentials(accessKey: "a", secretKey: "b")
    }
    let loader = S3Loader(
      S3Endpoint(url: URL(string: "https://s3.example")!, credentials: source), loader: network)
    let executor = HeldExecutor()
    let loads = (0..<3).map { _ in
      Task(executorPreference: executor) { try await loader.data(for: DataRequest(url: url)) }
    }

    // Until all of them wait for credentials.
    await executor.release()
    latch.open()

    for load in loads { _ = try await load.value }
    #expect(journal.lines.count == 1)
  }

  @Test("A load that waits for credentials can be cancelled, and with the last one, the call that makes them")
  func cancellation() async throws {
    let url = URL(string: "https://s3.example/photos/a")!
    let (asked, cancelled) = (AsyncStream.makeStream(of: Void.self), Latch())
    let source = S3CredentialsSource {
      asked.continuation.yield()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      cancelled.open()
      throw CancellationError()
    }
    let loader = S3Loader(
      S3Endpoint(url: URL(string: "https://s3.example")!, credentials: source), loader: ScriptedLoader())
    let first = Task { try await loader.data(for: DataRequest(url: url)) }
    for await _ in asked.stream { break }
    let second = Task { try await loader.data(for: DataRequest(url: url)) }

    second.cancel()
    await #expect(throws: DataLoadingError.self) { try await second.value }
    #expect(!cancelled.isOpen)
    first.cancel()

    await #expect(throws: DataLoadingError.self) { try await first.value }
    await cancelled.wait()
  }

  @Test("A load without credentials fails with a typed error, and sends nothing")
  func missing() async throws {
    let network = ScriptedLoader()
    let endpoint = S3Endpoint(
      url: URL(string: "https://s3.example")!,
      credentials: S3CredentialsSource { throw S3CredentialsError.missingVariable("X") })

    let error = await #expect(throws: DataLoadingError.self) {
      try await S3Loader(endpoint, loader: network).data(for: DataRequest(url: URL(string: "s3://photos/a")!))
    }

    #expect(error?.code == DataLoadingError.refused(reason: "").code)
    #expect(network.requests.isEmpty)
  }
}

/// Runs no job before it is released.
private final class HeldExecutor: TaskExecutor {
  private let held = Mutex<[UnownedJob]?>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = held.withLock { held in
      held?.append(job)
      return held != nil
    }
    if !isHeld { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }

  /// Runs what was held one after another until all of it waits for something else. Later jobs run at once.
  func release() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        continuation.resume()
      }
    }
  }

  /// `nil` at the end.
  private func next() -> UnownedJob? {
    held.withLock { held in
      guard held?.isEmpty == false else {
        held = nil
        return nil
      }
      return held?.removeFirst()
    }
  }
}
