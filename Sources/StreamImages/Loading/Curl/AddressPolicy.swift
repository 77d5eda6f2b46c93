/// Decides about an address when a connection to it is about to be made.
///
/// Names are resolved by then, so neither a name that changes its mind nor an address in disguise gets by. A
/// policy is asked on the thread of the loader: it must be quick.
public struct AddressPolicy: Sendable {
  let allows: @Sendable (NetworkAddress) -> Bool
  let isOpen: Bool

  /// A policy that asks `allows` about each address.
  public init(allows: @escaping @Sendable (NetworkAddress) -> Bool) {
    self.allows = allows
    isOpen = false
  }

  private init() {
    allows = { _ in true }
    isOpen = true
  }

  /// Every address.
  public static let any = AddressPolicy()

  /// Addresses of the public internet, and no others: see ``NetworkAddress/isPublic``.
  public static let publicOnly = AddressPolicy { $0.isPublic }
}
