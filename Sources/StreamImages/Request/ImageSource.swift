package import Foundation

/// The source of an image.
package enum ImageSource: Sendable, Hashable {
  /// None: the request was created without a URL.
  case missing
  case address(DataRequest)
  case data(NamedSource<DataSupply>)
  case image(NamedSource<ImageSupply>)

  package var isMissing: Bool { self == .missing }
}

/// Delivers bytes in pieces, and returns after the last one.
package typealias DataSupply = @Sendable (_ take: (Data) throws -> Void) async throws -> Void

package typealias ImageSupply = @Sendable () async throws -> Image

/// A closure and its name. Closures with the same name are considered equal.
package struct NamedSource<Supply: Sendable>: Sendable, Hashable {
  package let name: String
  package let supply: Supply

  package init(_ name: String, _ supply: Supply) {
    self.name = name
    self.supply = supply
  }

  package static func == (left: Self, right: Self) -> Bool { left.name.hasSameBytes(as: right.name) }

  package func hash(into hasher: inout Hasher) { hasher.combine(KeyText(name)) }
}

extension ImageSource: CustomStringConvertible {
  /// Without secrets. A closure is described by its name.
  package var description: String {
    switch self {
    case .missing: "no URL"
    case .address(let request): request.description
    case .data(let source): "data \"\(source.name)\""
    case .image(let source): "image \"\(source.name)\""
    }
  }
}
