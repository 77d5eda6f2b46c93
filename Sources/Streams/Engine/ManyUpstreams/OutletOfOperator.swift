/// The downstream of a core that only a part of its operator owns: the part which is the subscription of the whole.
@usableFromInline
protocol OutletOfOperator {
  var subscription: AnyObject? { get }
  /// The operator's downstream.
  var downstreamForMirror: Any? { get }
}
