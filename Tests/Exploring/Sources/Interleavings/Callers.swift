internal import Runtime

/// Where a fiber was.
struct Callers {
  private let trace = try? Backtrace.capture(limit: 24)

  /// The functions that had called each other, the innermost first.
  var lines: [String] {
    let frames = trace?.symbolicated()?.frames ?? []
    let places = frames.compactMap { frame -> String? in
      guard let symbol = frame.symbol, let place = symbol.sourceLocation else { return nil }
      return place.path.contains("/Interleavings/") ? nil : "    \(place.path):\(place.line) \(symbol.name)"
    }
    return Array(places.prefix(8))
  }
}
