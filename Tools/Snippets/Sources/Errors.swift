import Foundation
import Streams

private enum ParseError: Error, Equatable { case empty, bad(String) }
private struct ServiceError: Error {
  let reason: String
  init(_ error: any Error) { reason = "\(error)".components(separatedBy: ".").last ?? "" }
}

private func parse(_ text: String) throws -> Int {
  if text.isEmpty { throw ParseError.empty }
  guard let number = Int(text) else { throw ParseError.bad(text) }
  return number
}

private func show<P: Publisher>(_ name: String, _ publisher: P) {
  _ = publisher.sink(
    receiveCompletion: { completion in
      switch completion {
      case .finished: print("\(name): finished")
      case .failure(let error as ServiceError): print("\(name): service error \(error.reason)")
      case .failure(let error as ParseError): print("\(name): parse error \(error == .empty)")
      case .failure(let error): print("\(name): \(type(of: error))")
      }
    },
    receiveValue: { print("\(name):", $0) })
}

@MainActor
func errors() async {
  let texts = ["1", "2", "x", "4"].publisher

  show("tryMap", texts.tryMap(parse))
  show("tryMap with a closure", texts.tryMap { try parse($0) }.map { $0 * 2 })
  show("mapError", texts.tryMap(parse).mapError(ServiceError.init))
  show("typed", texts.tryMap(parse).mapError { $0 as? ParseError ?? .empty })
  show("replaceError", texts.tryMap(parse).replaceError(with: -1))
  show("catch", texts.tryMap(parse).catch { _ in [8, 9].publisher })
  show(
    "catch or fail again",
    texts.tryMap(parse).tryCatch { error -> AnyPublisher<Int, any Error> in
      if error as? ParseError == .bad("x") { throw ParseError.empty }
      return Just(0).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    })
  // One bad value does not end the stream.
  show(
    "inner catch",
    texts.flatMap { text in Just(text).tryMap(parse).catch { _ in Empty<Int, Never>() } })
  show("inner replace", texts.flatMap { Just($0).tryMap(parse).replaceError(with: 0) }.collect())
  show("compactMap", texts.compactMap { try? parse($0) }.collect())

  var attempts = 0
  let unsteady = Deferred { () -> AnyPublisher<Int, ParseError> in
    attempts += 1
    print("attempt \(attempts)")
    return attempts < 3
      ? Fail(error: .bad("\(attempts)")).eraseToAnyPublisher()
      : Just(attempts).setFailureType(to: ParseError.self).eraseToAnyPublisher()
  }
  show("retry", unsteady.retry(3))
  attempts = 0
  show("retry once", unsteady.retry(1))

  let never = Just(1).setFailureType(to: ParseError.self).assertNoFailure()
  show("assertNoFailure", never)
  show("setFailureType", Just("5").setFailureType(to: (any Error).self).tryMap(parse))
  show("tryFilter", (1...4).publisher.tryFilter { if $0 == 3 { throw ParseError.empty } else { $0 > 1 } })
  show("tryReduce", ["1", ""].publisher.tryReduce(0) { try $0 + parse($1) })
  show("tryScan", ["1", "2", ""].publisher.tryScan(0) { try $0 + parse($1) })
  show("result", Result { try parse("7") }.publisher)
  show("fail", Fail<Int, ParseError>(error: .empty))
  show("empty", Empty<Int, ParseError>())
  show("optional", Int("8").publisher)

  let subject = PassthroughSubject<String, ParseError>()
  let bag = subject.map { $0.count }.sink(
    receiveCompletion: { if case .failure(.bad(let text)) = $0 { print("subject: bad \(text)") } },
    receiveValue: { print("subject:", $0) })
  subject.send("abc")
  subject.send(completion: .failure(.bad("end")))
  subject.send("not heard")
  bag.cancel()
}
