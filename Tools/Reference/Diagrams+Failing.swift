import Streams
import StreamsExtras
import StreamsTesting

extension Diagram {
  static var failing: [Diagram] {
    [
      Diagram("catch", ["self": "a-b--#", "other": "-1-2|"]) { stage in
        stage.show("catch { _ in other }", stage["self"].catch { _ in stage["other"] })
      },
      Diagram("catch-many", ["self": "a-#", "x": "-1-#", "y": "--2-3|"]) { stage in
        stage.show("catch([x, y])", stage["self"].catch([stage["x"], stage["y"]]))
      },
      Diagram("retry", ["self": "a-b-#"]) { stage in
        stage.show("retry(2)", stage["self"].retry(2))
      },
      Diagram("retry-delay", ["self": "a-b-#"]) { stage in
        stage.show(
          "retry(2, delay: .seconds(3))",
          stage["self"].retry(2, delay: .seconds(3), scheduler: stage.scheduler))
      },
      Diagram("retry-policy", ["self": "a-#"]) { stage in
        var policy = RetryPolicy.backoff(retries: 3, from: .seconds(1), upTo: .seconds(60))
        policy.jitter = 0
        stage.show(
          "retry(.backoff(retries: 3, from: .seconds(1)))",
          stage["self"].retry(policy, scheduler: stage.scheduler))
      },
      Diagram("retry-when", ["self": "a-b-#", "trigger": "------x-----|"]) { stage in
        stage.show("retryWhen { _ in trigger }", stage["self"].retryWhen { _ in stage["trigger"] })
      },
      Diagram("repeat", ["self": "a-b-|"]) { stage in
        stage.show("repeat(3)", stage["self"].repeat(3))
      },
      Diagram("repeat-when", ["self": "a-b-|", "trigger": "------x-----|"]) { stage in
        stage.show(
          "repeatWhen { _ in trigger }",
          stage["self"].assertNoFailure().repeatWhen { _ in stage["trigger"].assertNoFailure() })
      },
    ]
  }

  static var sharing: [Diagram] {
    [
      Diagram("share", ["self": "1--2--3--4--|"]) { stage in
        let shared = stage["self"].share()
        stage.show("share()", shared, as: "first")
        stage.at(4) { stage.show(nil, shared, as: "second") }
      },
      Diagram("share-replay", ["self": "1--2--3--4--|"]) { stage in
        let shared = stage["self"].share(replay: 1)
        stage.show("share(replay: 1)", shared, as: "first")
        stage.at(4) { stage.show(nil, shared, as: "second") }
        stage.at(14) { stage.show(nil, shared, as: "third") }
      },
      Diagram("multicast", ["self": "1--2--3--4--|"]) { stage in
        let shared = stage["self"].multicast { PassthroughSubject() }
        stage.show("multicast { PassthroughSubject() }", shared, as: "first")
        stage.at(2) { stage.show(nil, shared, as: "second") }
        stage.at(3) { stage.keep(shared.connect()) }
      },
      Diagram("ref-count", ["self": "1--2--3--4--5--6--7--8--9--|"]) { stage in
        let shared = stage["self"].makeShared(on: stage)
        let first = stage.show("refCount(disconnectAfter: 5)", shared, as: "first")
        stage.at(4) { first.cancel() }
        stage.at(7) {
          let second = stage.show(nil, shared, as: "second")
          stage.at(6) { second.cancel() }
        }
      },
      Diagram("partition", ["self": "1-2-3--4--5--|"]) { stage in
        let (even, odd) = stage["self"].partition { Int($0)! % 2 == 0 }
        stage.show("partition { $0.isMultiple(of: 2) }", even, as: "matches")
        stage.show(nil, odd, as: "others")
      },
    ]
  }
}

extension Publisher where Output == String, Failure == TestFailure {
  fileprivate func makeShared(on stage: Stage) -> some Publisher<String, TestFailure> {
    multicast { PassthroughSubject() }.refCount(disconnectAfter: 5, scheduler: stage.scheduler)
  }
}
