import Streams
import StreamsExtras
import StreamsTesting

extension Diagram {
  static var timing: [Diagram] {
    [
      Diagram("debounce", ["self": "1-2----3---4-|"]) { stage in
        stage.show("debounce(for: 3)", stage["self"].debounce(for: 3, scheduler: stage.scheduler))
      },
      Diagram("debounce-flushing", ["self": "1-2----3---4-|"]) { stage in
        stage.show(
          "debounce(for: 3, flushesOnCompletion: true)",
          stage["self"].debounce(for: 3, scheduler: stage.scheduler, flushesOnCompletion: true))
      },
      Diagram("throttle", ["self": "1-23--4------5---|"]) { stage in
        let upstream = stage["self"]
        stage.show(
          "throttle(for: 4, latest: true)",
          upstream.throttle(for: 4, scheduler: stage.scheduler, latest: true))
        stage.show(
          "throttle(for: 4, latest: false)",
          stage["self"].throttle(for: 4, scheduler: stage.scheduler, latest: false))
      },
      Diagram("throttle-reducing", ["self": "123---4------5|"]) { stage in
        stage.show(
          "throttle(for: 4) { $0 + $1 }",
          stage["self"].throttle(for: 4, scheduler: stage.scheduler) { (sum: String?, value) in
            (sum ?? "") + value
          })
      },
      Diagram("delay", ["self": "1--23--4|"]) { stage in
        stage.show("delay(for: 3)", stage["self"].delay(for: 3, scheduler: stage.scheduler))
      },
      Diagram("timeout", ["self": "1--2------3--|"]) { stage in
        stage.show("timeout(4)", stage["self"].timeout(4, scheduler: stage.scheduler))
      },
      Diagram("timeout-other", ["self": "1--2------3--|", "other": "-8-9|"]) { stage in
        stage.show(
          "timeout(4, other: other)",
          stage["self"].timeout(4, scheduler: stage.scheduler, other: stage["other"]))
      },
      Diagram("measure-interval", ["self": "--a---b-----c|"]) { stage in
        stage.show(
          "measureInterval(using: scheduler)",
          stage["self"].measureInterval(using: stage.scheduler).map { "\($0.nanoseconds / 1_000_000_000) s" })
      },
      Diagram("collect-by-time", ["self": "1-2-3456----7-|"]) { stage in
        stage.show(
          "collect(.byTime(scheduler, 4))",
          stage["self"].collect(.byTime(stage.scheduler, 4)).map { $0.joined() })
        stage.show(
          "collect(.byTimeOrCount(scheduler, 4, 3))",
          stage["self"].collect(.byTimeOrCount(stage.scheduler, 4, 3)).map { $0.joined() })
      },
      Diagram("collect-by", ["self": "1-2--3---4-|", "signal": "---x---x"]) { stage in
        stage.show("collect(by: signal)", stage["self"].collect(by: stage["signal"]).map { $0.joined() })
      },
      Diagram("prefix-duration", ["self": "-1-2-3-4-"]) { stage in
        stage.show(
          "prefix(duration: 4, on: scheduler)", stage["self"].prefix(duration: 4, on: stage.scheduler))
      },
      Diagram("drop-duration", ["self": "-1-2-3-4-|"]) { stage in
        stage.show("drop(duration: 4, on: scheduler)", stage["self"].drop(duration: 4, on: stage.scheduler))
      },
      Diagram("window-count", ["self": "1-2-3--4--5--|"]) { stage in
        stage.showParts("window(count: 2)", of: stage["self"].window(count: 2)) { _ in "w" }
      },
      Diagram("window-by", ["self": "1-2-3--4--5--|", "signal": "---x----x"]) { stage in
        stage.showParts("window(by: signal)", of: stage["self"].window(by: stage["signal"])) { _ in "w" }
      },
      Diagram("timer", [:]) { stage in
        stage.show(
          "timerPublisher(every: 3).autoconnect()",
          stage.scheduler.timerPublisher(every: 3).autoconnect().map {
            "\(Int($0.elapsed.nanoseconds / 1_000_000_000))"
          }
          .prefix(4))
      },
      Diagram("timer-once", [:]) { stage in
        stage.show(
          "timerPublisher(after: 6)",
          stage.scheduler.timerPublisher(after: 6).map { "\(Int($0.elapsed.nanoseconds / 1_000_000_000))" })
      },
    ]
  }
}

extension Stage {
  /// Shows a publisher of publishers, and each of these in a lane of its own.
  func showParts<Part: Publisher<String, TestFailure>>(
    _ call: String, of publisher: some Publisher<Part, TestFailure>, name: @escaping (Part) -> String
  ) {
    show(
      call,
      publisher.handleEvents(receiveOutput: { [weak self] part in self?.show(nil, part, as: name(part)) })
        .map(name))
  }
}
