import Streams

/// Publishers that are equal if what they are made of is.
enum EquatingOneUses<P: Publisher & Equatable & SendableMetatype>: Family {
  static var members: [Use] {
    Use("Publishers.Collect.==", equates(Publishers.Collect<P>.self))
    Use("Publishers.CollectByCount.==", equates(Publishers.CollectByCount<P>.self))
    Use("Publishers.Count.==", equates(Publishers.Count<P>.self))
    Use("Publishers.Drop.==", equates(Publishers.Drop<P>.self))
    Use("Publishers.First.==", equates(Publishers.First<P>.self))
    Use("Publishers.IgnoreOutput.==", equates(Publishers.IgnoreOutput<P>.self))
    Use("Publishers.Last.==", equates(Publishers.Last<P>.self))
    Use("Publishers.MergeMany.==", equates(Publishers.MergeMany<P>.self))
    Use("Publishers.Output.==", equates(Publishers.Output<P>.self))
    Use("Publishers.Retry.==", equates(Publishers.Retry<P>.self))
  }
}

enum EquatingValuesUses<P: Publisher & Equatable & SendableMetatype>: Family
where P.Output: Equatable & SendableMetatype {
  static var members: [Use] {
    Use("Publishers.Contains.==", equates(Publishers.Contains<P>.self))
    Use("Publishers.ReplaceEmpty.==", equates(Publishers.ReplaceEmpty<P>.self))
    Use("Publishers.ReplaceError.==", equates(Publishers.ReplaceError<P>.self))
  }
}

enum EquatingNeverFailingUses<P: Publisher & Equatable & SendableMetatype, E: Error>: Family
where P.Failure == Never {
  static var members: [Use] {
    Use("Publishers.SetFailureType.==", equates(Publishers.SetFailureType<P, E>.self))
  }
}

enum EquatingSequenceUses<S: Sequence & Equatable & SendableMetatype, E: Error>: Family {
  static var members: [Use] {
    Use("Publishers.Sequence.==", equates(Publishers.Sequence<S, E>.self))
  }
}

enum EquatingManyUses<
  A: Publisher & Equatable & SendableMetatype,
  B: Publisher & Equatable & SendableMetatype,
  C: Publisher & Equatable & SendableMetatype,
  D: Publisher & Equatable & SendableMetatype,
  E: Publisher & Equatable & SendableMetatype,
  F: Publisher & Equatable & SendableMetatype,
  G: Publisher & Equatable & SendableMetatype,
  H: Publisher & Equatable & SendableMetatype
>: Family
where
  A.Failure == B.Failure, A.Output == B.Output, B.Failure == C.Failure, B.Output == C.Output,
  C.Failure == D.Failure, C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output,
  E.Failure == F.Failure, E.Output == F.Output, F.Failure == G.Failure, F.Output == G.Output,
  G.Failure == H.Failure, G.Output == H.Output
{
  static var members: [Use] {
    Use("Publishers.Concatenate.==", equates(Publishers.Concatenate<A, B>.self))
    Use("Publishers.DropUntilOutput.==", equates(Publishers.DropUntilOutput<A, B>.self))
    Use("Publishers.Zip.==", equates(Publishers.Zip<A, B>.self))
    Use("Publishers.Zip3.==", equates(Publishers.Zip3<A, B, C>.self))
    Use("Publishers.Zip4.==", equates(Publishers.Zip4<A, B, C, D>.self))
    Use("Publishers.CombineLatest.==", equates(Publishers.CombineLatest<A, B>.self))
    Use("Publishers.CombineLatest3.==", equates(Publishers.CombineLatest3<A, B, C>.self))
    Use("Publishers.CombineLatest4.==", equates(Publishers.CombineLatest4<A, B, C, D>.self))
    Use("Publishers.Merge.==", equates(Publishers.Merge<A, B>.self))
    Use("Publishers.Merge3.==", equates(Publishers.Merge3<A, B, C>.self))
    Use("Publishers.Merge4.==", equates(Publishers.Merge4<A, B, C, D>.self))
    Use("Publishers.Merge5.==", equates(Publishers.Merge5<A, B, C, D, E>.self))
    Use("Publishers.Merge6.==", equates(Publishers.Merge6<A, B, C, D, E, F>.self))
    Use("Publishers.Merge7.==", equates(Publishers.Merge7<A, B, C, D, E, F, G>.self))
    Use("Publishers.Merge8.==", equates(Publishers.Merge8<A, B, C, D, E, F, G, H>.self))
  }
}
