import Streams
import StreamsTesting
import Testing

@Suite("Cancelled subscribers of a subject", .leavesNothing)
struct DepartureTests {
  @Test("A subject keeps the order of its remaining subscribers after others cancel", arguments: 1..<64)
  func gaps(leaving: Int) {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    var cancellables: [AnyCancellable?] = (0..<6).map { number in
      subject.sink { _ in received.append(number) }
    }

    for number in 0..<6 where leaving >> number & 1 == 1 { cancellables[number] = nil }
    subject.send(1)
    let first = received
    received = []
    cancellables.append(subject.sink { _ in received.append(6) })
    subject.send(2)

    let staying = (0..<6).filter { leaving >> $0 & 1 == 0 }
    #expect(first == staying)
    #expect(received == staying + [6])
    withExtendedLifetime(cancellables) {}
  }
}
