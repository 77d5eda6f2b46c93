internal import Hummingbird

/// The page at `/`, which explains the server. It loads nothing from elsewhere.
enum Page {
  /// - Parameter isSigned: Whether only signed URLs are served. Then the page explains how to sign, and has no form.
  static func add(to router: Router<ThumbnailContext>, isSigned: Bool) {
    let html = html.replacing("FORM", with: isSigned ? signing : form)
    for (path, type, text) in [
      ("/", "text/html; charset=utf-8", html), ("/page.css", "text/css", css),
      ("/page.js", "text/javascript", script),
    ] {
      router.get("\(path)") { _, _ in
        Response(
          status: .ok,
          headers: [
            .contentType: type, .cacheControl: "public, max-age=300", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy:
              "default-src 'none'; img-src blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
      }
    }
  }
}
