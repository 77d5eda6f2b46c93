import Streams
import StreamsExtras
import StreamsTesting

extension Diagram {
  static var combining: [Diagram] {
    [
      Diagram("merge", ["self": "a---b--c|", "other": "-1-2---3--|"]) { stage in
        stage.show("merge(with: other)", stage["self"].merge(with: stage["other"]))
      },
      Diagram("merge-many", ["a": "a---b-|", "b": "-1---2--|", "c": "--x----y|"]) { stage in
        stage.show("[a, b, c].merge()", [stage["a"], stage["b"], stage["c"]].merge())
      },
      Diagram("combine-latest", ["self": "a---b--c|", "other": "-1-2----3|"]) { stage in
        stage.show(
          "combineLatest(other)", stage["self"].combineLatest(stage["other"]).map { $0 + $1 })
      },
      Diagram("combine-latest-many", ["a": "a---b----|", "b": "-1---2--|", "c": "--x-----y|"]) { stage in
        stage.show(
          "[a, b, c].combineLatest()",
          [stage["a"], stage["b"], stage["c"]].combineLatest().map { $0.joined() })
      },
      Diagram("zip", ["self": "a---b--c|", "other": "-1-2------3|"]) { stage in
        stage.show("zip(other)", stage["self"].zip(stage["other"]).map { $0 + $1 })
      },
      Diagram("zip-prefetch", ["self": "a---b--c|", "other": "123----4-|"]) { stage in
        stage.show("zip(other, prefetch: 2)", stage["self"].zip(stage["other"], prefetch: 2).map { $0 + $1 })
      },
      Diagram("zip-many", ["a": "a---b----|", "b": "-1---2--|", "c": "--x---y--|"]) { stage in
        stage.show("[a, b, c].zip()", [stage["a"], stage["b"], stage["c"]].zip().map { $0.joined() })
      },
      Diagram("with-latest-from", ["other": "--1----2----|", "self": "a--b--c--|"]) { stage in
        stage.show(
          "withLatestFrom(other) { $0 + $1 }",
          stage["self"].withLatestFrom(stage["other"]) { $0 + $1 })
      },
      Diagram("amb", ["self": "----a--b-|", "other": "--1--2---|"]) { stage in
        stage.show("amb(other)", stage["self"].amb(stage["other"]))
      },
      Diagram("amb-many", ["a": "----a-|", "b": "--1--2---|", "c": "---x---y|"]) { stage in
        stage.show("[a, b, c].amb()", [stage["a"], stage["b"], stage["c"]].amb())
      },
      Diagram("append", ["self": "a-b--|", "other": "-1-2|"]) { stage in
        stage.show("append(other)", stage["self"].append(stage["other"]))
      },
      Diagram("prepend", ["other": "-1-2|", "self": "a-b--|"]) { stage in
        stage.show("prepend(other)", stage["self"].prepend(stage["other"]))
      },
      Diagram("concat", ["a": "a-b|", "b": "-1-2|", "c": "x-|"]) { stage in
        stage.show("[a, b, c].concat()", [stage["a"], stage["b"], stage["c"]].concat())
      },
      Diagram("sample", ["self": "1-2---3---4-|", "trigger": "---x-x--x-----x"]) { stage in
        stage.show("sample(trigger)", stage["self"].sample(stage["trigger"]))
      },
      Diagram("switch-if-empty", ["self": "---|", "other": "-1-2|"]) { stage in
        stage.show("switchIfEmpty(to: other)", stage["self"].switchIfEmpty(to: stage["other"]))
      },
      Diagram("prefix-until-output", ["self": "a-b-c-d-e|", "other": "-----x--"]) { stage in
        stage.show("prefix(untilOutputFrom: other)", stage["self"].prefix(untilOutputFrom: stage["other"]))
      },
      Diagram("drop-until-output", ["self": "a-b-c-d-e|", "other": "-----x--"]) { stage in
        stage.show("drop(untilOutputFrom: other)", stage["self"].drop(untilOutputFrom: stage["other"]))
      },
    ]
  }

  static var flattening: [Diagram] {
    [
      Diagram("flat-map", children) { stage in
        stage.show("flatMap { children[$0] }", stage["self"].flatMap { stage[$0] })
      },
      Diagram("flat-map-queued", children) { stage in
        stage.show(
          "flatMap(maxConcurrent: 2) { children[$0] }",
          stage["self"].flatMap(maxConcurrent: 2) { stage[$0] })
      },
      Diagram("concat-map", children) { stage in
        stage.show("concatMap { children[$0] }", stage["self"].concatMap { stage[$0] })
      },
      Diagram("flat-map-first", children) { stage in
        stage.show("flatMapFirst { children[$0] }", stage["self"].flatMapFirst { stage[$0] })
      },
      Diagram("flat-map-latest", children) { stage in
        stage.show("flatMapLatest { children[$0] }", stage["self"].flatMapLatest { stage[$0] })
      },
      Diagram("switch-to-latest", children) { stage in
        stage.show(
          "map { children[$0] }.switchToLatest()", stage["self"].map { stage[$0] }.switchToLatest())
      },
      Diagram("flat-map-sequential", children) { stage in
        stage.show("flatMapSequential { children[$0] }", stage["self"].flatMapSequential { stage[$0] })
      },
      Diagram("expand", ["self": "a-----|", "a": "b--c|", "b": "d-|", "c": "|", "d": "-|"]) { stage in
        stage.show("expand { children[$0] }", stage["self"].expand { stage[$0] })
      },
      Diagram(
        "flat-map-delaying-errors", ["self": "a--b--|", "a": "1--#", "b": "-4--5-|"]
      ) { stage in
        stage.show(
          "flatMapDelayingErrors { children[$0] }",
          stage["self"].flatMapDelayingErrors { stage[$0] })
      },
      Diagram("merge-delaying-errors", ["a": "a--#", "b": "-1---2--|"]) { stage in
        stage.show("[a, b].mergeDelayingErrors()", [stage["a"], stage["b"]].mergeDelayingErrors())
      },
      Diagram("flat-map-batches", ["a": "--a|", "b": "-1|", "c": "x|"]) { stage in
        stage.show(
          "[a, b, c].flatMapBatches(of: 2)",
          [stage["a"], stage["b"], stage["c"]].flatMapBatches(of: 2).map { $0.joined() })
      },
      Diagram("group-by", ["self": "1-2-3--4--5--|"]) { stage in
        stage.showParts(
          "groupBy(maxGroups: 2) { $0.parity }",
          of: stage["self"].groupBy(maxGroups: 2) { Int($0)! % 2 == 1 ? "odd" : "even" }
        ) { $0.key }
      },
    ]
  }

  private static let children: KeyValuePairs = [
    "self": "a--b--c---|", "a": "1---2---3|", "b": "-4---5|", "c": "6--7|",
  ]
}
