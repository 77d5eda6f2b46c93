import Streams
import StreamsTesting
import Testing

@Suite("`removeDuplicates`", .leavesNothing)
struct RemoveDuplicatesTests {
  @Test("`removeDuplicates` passes the previous and the new value to its closure")
  func arguments() {
    let script = Script(Int.self, failure: Problem.self)
    var pairs: [[Int]] = []
    let recorder = script.removeDuplicates { before, value in
      pairs.append([before, value])
      return false
    }.record()

    script.say(1, 2, 3)

    #expect(pairs == [[1, 2], [2, 3]])
    #expect(recorder.values == [1, 2, 3])
  }
}
