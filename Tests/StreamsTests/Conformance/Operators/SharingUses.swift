import Streams

enum SharingAlikeUses<P: Publisher & SendableMetatype>: Family {
  static var operators: [Use] {
    Use("share()", P.share as (P) -> () -> Publishers.Share<P>)
  }

  static var types: [Use] {
    Use("Publishers.Share", publishes(Publishers.Share<P>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Share.upstream", \.upstream as KeyPath<Publishers.Share<P>, P>)
    Use("Publishers.Share.init(upstream:)", Publishers.Share<P>.init(upstream:) as (P) -> Publishers.Share<P>)
    Use("Publishers.Share.==(lhs:rhs:)", (==) as (Publishers.Share<P>, Publishers.Share<P>) -> Bool)
  }
}

enum SharingUses<P: Publisher & SendableMetatype, M: Subject & SendableMetatype>: Family
where P.Output == M.Output, P.Failure == M.Failure {
  static var operators: [Use] {
    Use("multicast(_:)", P.multicast(_:) as (P) -> (@escaping () -> M) -> Publishers.Multicast<P, M>)
    Use("multicast(subject:)", P.multicast(subject:) as (P) -> (M) -> Publishers.Multicast<P, M>)
    Use("subscribe(_:) of a subject", P.subscribe(_:) as (P) -> (M) -> AnyCancellable)
  }

  static var types: [Use] {
    Use("Publishers.Multicast", publishes(Publishers.Multicast<P, M>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Multicast.upstream", \.upstream as KeyPath<Publishers.Multicast<P, M>, P>)
    Use("Publishers.Multicast.createSubject", \.createSubject as KeyPath<Publishers.Multicast<P, M>, () -> M>)
    Use(
      "Publishers.Multicast.init(upstream:createSubject:)",
      Publishers.Multicast<P, M>.init(upstream:createSubject:)
        as (P, @escaping () -> M) -> Publishers.Multicast<P, M>)
    Use(
      "Publishers.Multicast.connect()",
      Publishers.Multicast<P, M>.connect as (Publishers.Multicast<P, M>) -> () -> any Cancellable)
  }
}

enum ConnectingUses<P: ConnectablePublisher & SendableMetatype>: Family {
  static var types: [Use] {
    Use("Publishers.Autoconnect", publishes(Publishers.Autoconnect<P>.self, P.Output.self, P.Failure.self))
    Use("ConnectablePublisher", { (p: P) in p as any ConnectablePublisher<P.Output, P.Failure> })
  }

  static var members: [Use] {
    Use("Publishers.Autoconnect.upstream", \.upstream as KeyPath<Publishers.Autoconnect<P>, P>)
    Use(
      "Publishers.Autoconnect.init(upstream:)",
      Publishers.Autoconnect<P>.init(upstream:) as (P) -> Publishers.Autoconnect<P>)
    Use("ConnectablePublisher.connect()", P.connect as (P) -> () -> any Cancellable)
    Use("ConnectablePublisher.autoconnect()", P.autoconnect as (P) -> () -> Publishers.Autoconnect<P>)
  }
}
