import GraphModels
import Streams

func events() {
  let events = PassthroughSubject<Event<String>, Never>()
  let subscription = events.sink { event in
    switch event {
    case .opened(let name): print("events: opened", name)
    case .closed: print("events: closed")
    }
  }
  events.send(.opened("door"))
  events.send(Event.closed)
  subscription.cancel()
}
