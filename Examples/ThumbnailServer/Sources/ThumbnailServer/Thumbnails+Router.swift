internal import Foundation
package import Hummingbird
internal import StreamImages

extension Thumbnails {
  /// `GET` and `HEAD` of `/thumb`.
  package func router() -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: UnambiguousRequests())
    router.get("thumb") { [self] request, _ in
      let start = ContinuousClock.now
      let response = await answer(request)
      metrics.count(status: response.status.code, after: .now - start)
      return response
    }
    return router
  }

  /// `GET` and `HEAD` of `/metrics` and `/health`, for an address that strangers cannot reach.
  package func statusRouter() -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("metrics") { [self] _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(recent))))
    }
    router.get("health") { _, _ in Response(status: .noContent) }
    return router
  }

  private func answer(_ request: Request) async -> Response {
    do throws(Refusal) {
      let parameters = request.uri.queryParameters
      let query = try ThumbnailQuery(maximumSide: settings.maximumSide) { parameters[$0] }
      let thumbnail = try await thumbnail(query, accept: request.headers[.accept])
      return answer(thumbnail, isKnown: request.headers[.ifNoneMatch])
    } catch {
      return answer(error)
    }
  }

  private func answer(_ thumbnail: DataResponse, isKnown known: String?) -> Response {
    let tag = thumbnail.entityTag
    var headers: HTTPFields = [
      .eTag: tag, .cacheControl: "public, max-age=\(settings.maxAge)", .vary: "Accept",
    ]
    let isUnchanged = known.map { $0 == "*" || $0.split(separator: ",").contains { $0.isTag(tag) } } ?? false
    guard !isUnchanged else { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = thumbnail.contentType
    headers[.xContentTypeOptions] = "nosniff"
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: thumbnail.data)))
  }

  private func answer(_ refusal: Refusal) -> Response {
    var headers: HTTPFields = [
      .contentType: "text/plain", .xContentTypeOptions: "nosniff",
      .cacheControl: refusal.maxAge > 0 ? "public, max-age=\(refusal.maxAge)" : "no-store",
    ]
    if let seconds = refusal.retryAfter { headers[.retryAfter] = "\(seconds)" }
    return Response(
      status: .init(code: refusal.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: refusal.code + "\n")))
  }
}

extension Substring {
  /// Whether this is one of the entity tags of `If-None-Match`, which compares weakly.
  fileprivate func isTag(_ tag: String) -> Bool {
    let text = trimmingCharacters(in: .whitespaces)
    return text == tag || text == "W/" + tag
  }
}
