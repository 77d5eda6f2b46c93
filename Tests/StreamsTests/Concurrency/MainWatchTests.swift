import Dispatch
import Foundation
import Streams
import StreamsExtras
import Testing

/// Returns when the report has been written to standard error, which it takes from the process.
private func waitForReport(after start: () -> Void) {
  let pipe = Pipe(), before = dup(2)
  defer { dup2(before, 2) }  // the pipe ends with this function
  precondition(dup2(pipe.fileHandleForWriting.fileDescriptor, 2) == 2)
  start()
  var written = ""
  while !written.contains("This is reported once.") {
    written += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
  }
  precondition(written.contains("has waited for the main actor for one second"))
  precondition(written.contains("or the program does not serve it: use an asynchronous main"))
}

// Each in a process of its own, whose main actor is blocked until the report is there.
@Suite("Blocked main actor")
struct MainWatchTests {
  @Test("A sink that waits for a blocked main actor for a second is reported", .timeLimit(.minutes(1)))
  func sink() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let subject = PassthroughSubject<Int, Never>()
        let sink = subject.sink { _ in MainActor.preconditionIsolated() }
        waitForReport {
          DispatchQueue.global().async { subject.send(1) }
        }
        sink.cancel()
      }
    }
  }

  @Test(
    "A scheduled action that waits for a blocked main actor for a second is reported", .timeLimit(.minutes(1))
  )
  func scheduler() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        waitForReport { MainActorScheduler.shared.schedule {} }
      }
    }
  }
}
