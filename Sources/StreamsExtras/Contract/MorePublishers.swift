/// A namespace for the publishers that Combine does not have.
///
/// They are separate from `Publishers`, so that you can declare types with the same names there.
public enum MorePublishers {}

/// Adds names beyond Combine to `Publishers`. You never use this protocol yourself.
///
/// Members of a protocol extension yield to members of the type. If you declare `Publishers.Timer`, yours is used.
public protocol YieldingNames {}

extension Publishers: YieldingNames {}
