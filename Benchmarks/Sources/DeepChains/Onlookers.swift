import Streams

/// What somebody who looks on sees in a release build of a chain whose types are all known where it is written.
///
/// The optimiser leaves the looking out between such stages, and whoever looks on is served by code that knows no types:
/// only a build like this one can tell that nothing is lost by it.
func joints() -> [String] {
  let onlooker = Onlooker()
  onlooker.enable()
  defer { onlooker.disable() }
  let subject = PassthroughSubject<Int, Never>()
  let whole = subject.map { $0 + 1 }.filter { $0 > 0 }.scan(0, +).removeDuplicates().flatMap { Just($0) }
    .first()
  let cancellable = whole.sink { _ in }
  subject.send(1)
  cancellable.cancel()
  return onlooker.publishers
}

private final class Onlooker: _Introspection {
  var publishers: [String] = []

  func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber _: Downstream)
  {
    publishers.append(String("\(Upstream.self)".prefix { $0 != "<" }))
  }
}
