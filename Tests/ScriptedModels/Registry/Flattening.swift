internal import Streams

/// A value of the first source chooses one of the others.
extension Registry {
  static var flattening: [ModelledOperator] {
    [
      flatMap("flatMap", .unlimited),
      flatMap("flatMap(maxPublishers: 1)", .max(1)),
      flatMap("flatMap(maxPublishers: 2)", .max(2)),
      ModelledOperator("switchToLatest", sources: 3, model: { SwitchModel() }) { stage in
        let children = Array(stage.sources.dropFirst())
        return stage[0].map { children[$0 % 2] }.switchToLatest()
      },
    ]
  }

  private static func flatMap(_ name: String, _ most: Subscribers.Demand) -> ModelledOperator {
    ModelledOperator(name, sources: 3, model: { FlattenModel.flatMap(most) }) { stage in
      let children = Array(stage.sources.dropFirst())
      return stage[0].flatMap(maxPublishers: most) { children[$0 % 2] }
    }
  }
}
