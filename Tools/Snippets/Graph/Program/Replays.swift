import GraphReplay
import Streams

func replays() {
  let subject = ReplaySubject<Int, Never>(maxValues: 2)
  for number in 1...4 { subject.send(number) }
  let subscription = subject.sink { print("replays:", $0) }
  subject.send(5)
  subscription.cancel()
}
