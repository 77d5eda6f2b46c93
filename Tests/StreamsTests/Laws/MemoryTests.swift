#if canImport(Glibc)
  import Foundation
  import Streams
  import StreamsTesting
  import TestSupport
  import Testing

  // In processes of their own with one heap: what tests beside them take would be counted.
  @Suite(
    "Memory of a long-lived publisher", .enabled(if: !isSanitized, "a sanitizer has a heap of its own"),
    .leavesNothing)
  struct MemoryTests {
    @Test("The memory of a publisher does not grow with cancelled subscribers, for every operator")
    func cancelling() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Memory.reportGrowth { stand, recorder in
          stand.upstreams.first?.lines.last?.speak(1)
          recorder.cancel()
        }
      }
      expectFlat(result)
    }

    @Test("The memory of a publisher does not grow with failed subscriptions, for every operator")
    func failing() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        Memory.reportGrowth { stand, recorder in
          for upstream in stand.upstreams { upstream.lines.last?.fail() }
          recorder.cancel()
        }
      }
      expectFlat(result)
    }

    private func expectFlat(_ result: ExitTest.Result?) {
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.split(separator: "\n").filter { $0.contains("grows: ") } == [])
      #expect(output.contains("measured: \(OperatorCase.all.count)"))
    }
  }

  private enum Memory {
    /// How often each is subscribed to and left. The long form is a million times.
    static let rounds = ProcessInfo.processInfo.environment["MEMORY_ROUNDS"].flatMap { Int($0) } ?? 100

    static func reportGrowth(_ play: (LawStand, Recorder<Sample, TestFailure>) -> Void) {
      Heap.useOneArena()
      for operatorCase in OperatorCase.all {
        ManualTaskExecutor.whileRunning {
          let stand = LawStand(operatorCase.candidate, isForgetful: true)
          let bytes = Heap.leaked(each: rounds) {
            let recorder = Recorder<Sample, TestFailure>()
            stand.subscribe(recorder)
            stand.settle()
            play(stand, recorder)
            recorder.forget()
            stand.settle()
          }
          if bytes > 8 { print("grows: \(bytes) bytes for each subscriber of \(operatorCase.name)") }
        }
      }
      print("measured: \(OperatorCase.all.count)")
    }
  }
#endif
