import Foundation
import StreamImages
import Testing

/// What a request, its limits and a loader are before anything is set, as their pages say.
@Suite struct LoadDefaultsTests {
  private let url = URL(string: "https://a.example/b?token=1")!

  @Test("The default limits allow 64 MiB, five redirects, and a minute for it all, over HTTP and HTTPS")
  func limits() {
    let limits = LoadLimits()

    #expect(limits.maximumByteCount == 64 * 1_024 * 1_024)
    #expect(limits.maximumExpansionRatio == 100)
    #expect(limits.maximumHeadByteCount == 64 * 1_024)
    #expect(limits.maximumHeadFieldCount == 100)
    #expect(limits.maximumDataURLByteCount == 1_024 * 1_024)
    #expect(limits.maximumRedirectCount == 5)
    #expect(limits.connectTimeout == .seconds(10))
    #expect(limits.firstByteTimeout == .seconds(15))
    #expect(limits.idleTimeout == .seconds(15))
    #expect(limits.totalTimeout == .seconds(60))
    #expect(limits.allowedSchemes == ["http", "https"])
  }

  @Test("A loader has six connections to a host by default, reuses them for a minute, and trusts the system")
  func loader() {
    let usual = CurlLoader.Configuration()

    #expect(usual.maximumConnectionsPerHost == 6)
    #expect(usual.maximumConnections == 64)
    #expect(usual.maximumStreamsPerConnection == 100)
    #expect(usual.order == .oldestFirst)
    #expect(usual.bufferedByteCount == 1_024 * 1_024)
    #expect(usual.usesHTTP2 && usual.multiplexes)
    #expect(usual.proxy == .environment)
    #expect(usual.certificateAuthorities == nil)
    #expect(usual.userAgent == "StreamImages")
    #expect(usual.idleConnectionLifetime == .seconds(60))

    let server = CurlLoader.Configuration.server
    #expect(server.proxy == .none)
    #expect(server.maximumConnectionsPerHost == 16)
    #expect(server.maximumConnections == usual.maximumConnections)
  }

  @Test("A request is a GET that follows redirects, accepts each success, and may use every network")
  func request() {
    let request = DataRequest(url: url)

    #expect(request.method == .get && request.body == nil && request.headers == HeaderFields())
    #expect(request.acceptedStatuses == Set(200...299))
    #expect(request.allowsRedirects && !request.allowsContentCoding)
    #expect(request.allowsConstrainedNetworkAccess && request.allowsExpensiveNetworkAccess)
    #expect(!request.buffersBody && !request.isIncremental)
    #expect(request.priority == .normal && request.cachePartition == nil)
    #expect(request.description == "GET https://a.example/b?…")
  }

  @Test("Reading changes nothing on a server, and all but POST and PATCH can be repeated")
  func methods() {
    let methods: [DataRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    #expect(methods.map(\.rawValue) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    #expect(methods.filter(\.isSafe) == [.get, .head])
    #expect(methods.filter { !$0.isIdempotent } == [.post, .patch])
  }

  @Test("A partition is part of a request, and can be changed and removed")
  func partition() {
    var request = DataRequest(url: url)
    request.cachePartition = "ali"
    let ofAli = request
    request.cachePartition = "bea"

    #expect(ofAli.cachePartition == "ali" && request.cachePartition == "bea")
    #expect(ofAli != request)
    request.cachePartition = nil
    #expect(request == DataRequest(url: url) && request.hashValue == DataRequest(url: url).hashValue)
  }

  @Test("Only the network sends a body, or another method than GET and HEAD")
  func reading() async throws {
    var requests: [DataRequest] = ([.post, .put, .patch, .delete] as [DataRequest.Method]).map {
      DataRequest(url: URL(string: "data:,a")!, method: $0)
    }
    requests.append(DataRequest(url: URL(string: "data:,a")!, body: Data([1])))
    for request in requests {
      let error = await failure { () throws(DataLoadingError) in
        try await DataURLLoader().load(request, limits: LoadLimits())
      }
      #expect(error == .refused(reason: "\(request.method.rawValue) is only for the network"))
    }
    for method in [DataRequest.Method.get, .head] {
      let request = DataRequest(url: URL(string: "data:,a")!, method: method)
      _ = try await DataURLLoader().load(request, limits: LoadLimits())
    }
  }

  @Test("Progress is a fraction from zero to one, and zero while the total is unknown")
  func progress() {
    for (completed, total, fraction, text) in [
      (0, nil, 0, "0 of ? bytes"), (5, nil, 0, "5 of ? bytes"), (0, 0, 0, "0 of 0 bytes"),
      (5, 0, 0, "5 of 0 bytes"), (0, 10, 0, "0 of 10 bytes"), (1, 1, 1, "1 of 1 bytes"),
      (5, 10, 0.5, "5 of 10 bytes"), (10, 10, 1, "10 of 10 bytes"), (11, 10, 1, "11 of 10 bytes"),
      (-1, 10, 0, "-1 of 10 bytes"), (5, -10, 0, "5 of -10 bytes"),
    ] as [(Int, Int?, Double, String)] {
      let progress = LoadProgress(completed: completed, total: total)

      #expect(progress.fraction == fraction)
      #expect(progress.description == text)
    }
    #expect(LoadProgress() == LoadProgress(completed: 0, total: nil))
  }

  @Test("Each request is refused on the networks that it must not use, and on no other")
  func networks() async {
    struct Conditions: NetworkConditions { let isConstrained: Bool, isExpensive: Bool }
    struct Refusing: DataLoading {
      func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
        throw .cannotResolve(host: "")
      }
    }
    for number in 0..<16 {
      let bits = (0..<4).map { number >> $0 & 1 == 1 }
      var request = DataRequest(url: url)
      (request.allowsConstrainedNetworkAccess, request.allowsExpensiveNetworkAccess) = (bits[0], bits[1])
      let conditions = Conditions(isConstrained: bits[2], isExpensive: bits[3])

      let error = await failure { () throws(DataLoadingError) in
        try await Refusing().with(NetworkConditionsMiddleware(conditions)).load(request, limits: LoadLimits())
      }

      let expected: DataLoadingError =
        !bits[0] && bits[2]
        ? .networkUnavailable(.constrained)
        : !bits[1] && bits[3] ? .networkUnavailable(.expensive) : .cannotResolve(host: "")
      #expect(error == expected)
    }
  }
}
