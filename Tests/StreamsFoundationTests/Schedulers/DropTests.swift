import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`receive(on:)`: cancelled operations")
struct DropTests {
  @Test("Values of cancelled operations arrive with the next value, in order")
  func drop() {
    let queue = OperationQueue()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record()
    defer { recorder.cancel() }

    queue.isSuspended = true
    for number in 1...3 { subject.send(number) }
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    subject.send(4)
    queue.waitUntilAllOperationsAreFinished()

    #expect(recorder.values == [1, 2, 3, 4])
  }
}
