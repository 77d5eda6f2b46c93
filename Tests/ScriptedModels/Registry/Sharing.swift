internal import Streams

extension Registry {
  static var sharing: [ModelledOperator] {
    [
      ModelledOperator("share", downstreams: 3, model: { AudienceModel(.whileShared) }) { $0[0].share() },
      ModelledOperator(
        "multicast, autoconnect", downstreams: 3,
        model: { AudienceModel(.whileSharedRememberingDemand) }
      ) { $0[0].multicast { PassthroughSubject() }.autoconnect() },
      ModelledOperator("PassthroughSubject", downstreams: 3, model: { AudienceModel(.always) }) { stage in
        let subject = PassthroughSubject<Int, Breakdown>()
        stage.keep(stage[0].subscribe(subject))
        return subject
      },
      ModelledOperator("CurrentValueSubject", downstreams: 3, model: { CurrentValueModel(0) }) { stage in
        let subject = CurrentValueSubject<Int, Breakdown>(0)
        stage.keep(stage[0].subscribe(subject))
        return subject
      },
    ]
  }
}
