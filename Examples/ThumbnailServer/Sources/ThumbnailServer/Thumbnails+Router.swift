internal import Foundation
internal import HTTPTypes
package import Hummingbird
internal import Logging
internal import StreamImages

extension Thumbnails {
  /// `GET` and `HEAD` of `/thumb`, `/info` and the page at `/`; with imgproxy's paths, those as well.
  package func router() -> Router<ThumbnailContext> {
    let router = Router(context: ThumbnailContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: UnambiguousRequests { [self] in refuse(.ambiguous, $0, $1, for: nil) })
    router.get("thumb") { [self] in await answer($0, $1, .thumbnail) }
    router.get("info") { [self] in await answer($0, $1, .description) }
    Page.add(to: router, isSigned: !settings.keys.isEmpty)
    router.get("**") { [self] request, context in
      guard settings.readsImgproxyPaths else { return refuse(.notFound, request, context, for: nil) }
      return await answer(request, context, .imgproxy)
    }
    return router
  }

  /// `GET` and `HEAD` of `/metrics` and `/health`, for an address that strangers cannot reach.
  package func statusRouter() -> Router<ThumbnailContext> {
    let router = Router(context: ThumbnailContext.self, options: .autoGenerateHeadEndpoints)
    router.get("metrics") { [self] request, context in
      if let token = settings.metricsToken,
        !isSameSecret(request.headers[.authorization] ?? "", "Bearer \(token)")
      {
        return refuse(.unauthorized, request, context, for: nil)
      }
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(recent))))
    }
    router.get("health") { _, _ in Response(status: .noContent) }
    return router
  }

  private func answer(_ request: Request, _ context: ThumbnailContext, _ endpoint: Asked.Endpoint) async
    -> Response
  {
    let start = ContinuousClock.now
    var asked: Asked?
    var query: ThumbnailQuery?
    let response: Response
    do throws(Refusal) {
      try admit(request, context)
      let written = try Asked(request, endpoint)
      asked = written
      let options = try written.verifiedOptions(settings)
      if endpoint == .description {
        response = try await describe(options, written, context)
      } else {
        // imgproxy makes thumbnails of any size unless there is one.
        let checked = try ThumbnailQuery(
          options, maximumSide: settings.maximumSide, needsSize: endpoint == .thumbnail)
        query = checked
        response = thumbnail(
          try await thumbnail(checked, accept: request.headers[.accept], for: context.channel), checked,
          request,
          limit: written.rest())
      }
    } catch {
      let refused = refuse(error, request, context, for: asked?.options["url"])
      let time = settings.deadline - (.now - start)
      response = await replacement(for: error, refused, query, request, context, within: time) ?? refused
    }
    metrics.count(status: response.status.code, after: .now - start)
    return response
  }

  private func admit(_ request: Request, _ context: ThumbnailContext) throws(Refusal) {
    guard let clients, let client = client(of: request, context),
      let delay = clients.delay(for: client)
    else { return }
    throw .tooManyRequests(retryAfter: delay)
  }

  private func client(of request: Request, _ context: ThumbnailContext) -> String? {
    guard settings.isBehindProxy, let name = HTTPField.Name("X-Forwarded-For"),
      let last = request.headers[name]?.split(separator: ",").last
    else { return context.client }
    return ClientRates.client(last.trimmingCharacters(in: .whitespaces)) ?? context.client
  }

  private func describe(
    _ options: OptionList, _ asked: Asked, _ context: ThumbnailContext
  ) async throws(Refusal) -> Response {
    let query = try ThumbnailQuery(options, maximumSide: settings.maximumSide, needsSize: false)
    let description = try await description(of: query, for: context.channel)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(description) else {
      throw Refusal(status: 500, code: "server.encoding-failed")
    }
    var headers = caching(of: query.source, limit: asked.rest())
    headers[.contentType] = "application/json"
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }

  private func thumbnail(
    _ thumbnail: DataResponse, _ query: ThumbnailQuery, _ request: Request, limit: Int
  ) -> Response {
    let tag = thumbnail.entityTag
    var headers = caching(of: thumbnail.request, limit: limit)
    headers[.eTag] = tag
    if query.format == nil { headers[.vary] = "Accept" }
    guard !request.isOfUnchanged(tag, lastModified: headers[.lastModified]) else {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = thumbnail.contentType
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: thumbnail.data)))
  }

  /// The fallback image in the place of one that cannot be had, with the code of the refusal.
  private func replacement(
    for refusal: Refusal, _ refused: Response, _ query: ThumbnailQuery?, _ request: Request,
    _ context: ThumbnailContext, within time: Duration
  ) async -> Response? {
    guard let fallback = settings.fallback, refusal.isOfImage, let query,
      let image = try? await self.fallback(
        fallback, query, accept: request.headers[.accept], for: context.channel, within: time)
    else { return nil }
    var headers = refused.headers
    headers[.contentType] = image.contentType
    if query.format == nil { headers[.vary] = "Accept" }
    if let name = HTTPField.Name("Thumbnail-Error") { headers[name] = refusal.code }
    return Response(
      status: fallback.status.map { .init(code: $0) } ?? refused.status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data)))
  }

  /// Logs a refusal, and answers with its code.
  private func refuse(
    _ refusal: Refusal, _ request: Request, _ context: ThumbnailContext, for source: String?
  ) -> Response {
    metrics.count(refusal)
    var metadata: Logger.Metadata = [
      "error.type": "\(refusal.code)", "http.response.status_code": "\(refusal.status)",
    ]
    if let client = client(of: request, context) { metadata["client.address"] = "\(client)" }
    if let url = source.flatMap({ URL(string: $0) }) { metadata["image.url"] = "\(RedactedURL(url))" }
    // Clients may leave as they like.
    settings.logger.log(level: refusal == .clientGone ? .debug : .notice, "refused", metadata: metadata)

    var headers = caching(maxAge: refusal.maxAge)
    headers[.contentType] = "text/plain"
    if let seconds = refusal.retryAfter { headers[.retryAfter] = "\(seconds)" }
    if refusal == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    return Response(
      status: .init(code: refusal.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: refusal.code + "\n")))
  }

  /// For what was made of the image of this request.
  private func caching(of request: ImageRequest, limit: Int) -> HTTPFields {
    guard let origins else { return caching(maxAge: min(settings.maxAge ?? Settings.usualMaxAge, limit)) }
    // A cache asks again if nothing is known.
    guard let origin = origins.record(of: request) else { return caching("no-cache", maxAge: 0) }
    let now = Int(Date().timeIntervalSince1970)
    let field = origin.field(now: now, limit: limit)
    let isStored = origin.isStorable || origin.isPrivate
    var headers = caching(field, maxAge: isStored ? min(origin.maxAge(now: now), limit) : 0)
    headers[.lastModified] = origin.lastModified
    return headers
  }

  private func caching(maxAge: Int) -> HTTPFields {
    caching(maxAge > 0 ? "public, max-age=\(maxAge)" : "no-store", maxAge: maxAge)
  }

  private func caching(_ field: String, maxAge: Int) -> HTTPFields {
    var headers: HTTPFields = [.xContentTypeOptions: "nosniff", .cacheControl: field]
    // For caches that only read HTTP/1.0.
    if maxAge > 0 { headers[.expires] = HTTPTime.text(Int(Date().timeIntervalSince1970) + maxAge) }
    if let origin = settings.allowedOrigin {
      headers[.accessControlAllowOrigin] = origin
      if let name = HTTPField.Name("Timing-Allow-Origin") { headers[name] = origin }
    }
    return headers
  }
}

extension Request {
  /// Whether the client has this version already. A tag comes before a date, which has to be the same.
  fileprivate func isOfUnchanged(_ tag: String, lastModified: String?) -> Bool {
    if let known = headers[.ifNoneMatch] {
      return known == "*" || known.split(separator: ",").contains { $0.isTag(tag) }
    }
    return lastModified != nil && headers[.ifModifiedSince] == lastModified
  }
}

extension Substring {
  /// Whether this is one of the entity tags of `If-None-Match`, which compares weakly.
  fileprivate func isTag(_ tag: String) -> Bool {
    let text = trimmingCharacters(in: .whitespaces)
    return text == tag || text == "W/" + tag
  }
}
