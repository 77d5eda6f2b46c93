import Counting
import Interleavings
import Testing

@Test func theHighestScoreStays() throws {
  try explore {
    HighScore()
  } run: {
    $0.thread { $0.record(3) }
    $0.thread { $0.record(5) }
  } after: {
    #expect($0.value == 5)
  }
}
