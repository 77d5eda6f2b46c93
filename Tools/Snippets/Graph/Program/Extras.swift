import StreamsExtras

// What one file imports is not visible in the others.
func extras() {
  let subject = ReplaySubject<Int, Never>(bufferSize: 1)
  subject.send(1)
  let name = CurrentValueSubject<String, Never>("Ada")
  let subscription = subject.withLatestFrom(name).materialize().sink { (event: Event<String, Never>) in
    print("extras:", event)
  }
  subscription.cancel()
}
