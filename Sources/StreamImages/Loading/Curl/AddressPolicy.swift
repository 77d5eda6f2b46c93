/// Decides whether a connection to an address may be made.
///
/// It is checked after names are resolved, so DNS rebinding and addresses in unusual notation are covered. It is
/// called on a thread of the loader and must be fast. With a proxy, it checks the address of the proxy only.
public struct AddressPolicy: Sendable {
  let allows: @Sendable (NetworkAddress) -> Bool
  let isOpen: Bool

  /// Creates a policy that calls `allows` for each address.
  public init(allows: @escaping @Sendable (NetworkAddress) -> Bool) {
    self.allows = allows
    isOpen = false
  }

  private init() {
    allows = { _ in true }
    isOpen = true
  }

  /// Allows every address.
  public static let any = AddressPolicy()

  /// Allows public addresses only; see ``NetworkAddress/isPublic``.
  public static let publicOnly = AddressPolicy { $0.isPublic }
}
