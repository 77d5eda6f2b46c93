internal import HTTPTypes
internal import Hummingbird

/// Refuses requests whose host or end a server in front could read in another way, and closes their connection.
struct UnambiguousRequests: RouterMiddleware {
  typealias Context = ThumbnailContext

  let refusal: @Sendable (Request, ThumbnailContext) -> Response

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard Self.isAmbiguous(request.headers) else { return try await next(request, context) }
    var response = refusal(request, context)
    response.headers[.connection] = "close"
    return response
  }

  private static func isAmbiguous(_ headers: HTTPFields) -> Bool {
    let codings = headers[values: .transferEncoding]
    let hasTwoEnds = !codings.isEmpty && headers[.contentLength] != nil
    let isChunked = codings.isEmpty || codings.map { $0.lowercased() } == ["chunked"]
    // The first host is not among the headers.
    let hasTwoHosts = HTTPField.Name("Host").map { !headers[values: $0].isEmpty } ?? false
    return hasTwoEnds || !isChunked || hasTwoHosts || headers[values: .contentLength].count > 1
  }
}
