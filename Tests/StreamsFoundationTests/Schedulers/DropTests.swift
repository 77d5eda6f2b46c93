import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("values whose operations were cancelled")
struct DropTests {
  @Test("come with the next one, and shift none")
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
