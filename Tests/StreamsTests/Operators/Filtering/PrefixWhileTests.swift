import Streams
import StreamsTesting
import Testing

@Suite("`prefix(while:)`", .leavesNothing)
struct PrefixWhileTests {
  @Test("`prefix(while:)` delivers nothing more if its predicate cancels the stream")
  func cancelledByThePredicate() {
    let source = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()
    source.prefix { [unowned recorder] value in
      if value == 2 { recorder.cancel() }
      return true
    }.subscribe(recorder)

    source.say(1, 2)

    #expect(recorder.events == [.subscription, .value(1)])
    #expect(source.cancellations == 1)
  }
}
