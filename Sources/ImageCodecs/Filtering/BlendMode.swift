import CCodecs

/// What becomes of two images, one over the other. Formulas and names are those of the W3C's Compositing and
/// Blending.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  /// How colors mix. All of both images stays.
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight
  /// How far colors are apart. All of both images stays.
  case difference, exclusion

  /// Which parts stay, in the words of Porter and Duff. Source is the image above, destination the one below.
  case clear, copy, sourceIn, sourceOut, sourceAtop
  /// Which parts stay, in the words of Porter and Duff.
  case destinationOver, destinationIn, destinationOut, destinationAtop
  /// What only one of them covers; the sum of both.
  case exclusiveOr, plusLighter

  var code: CodecBlendMode {
    switch self {
    case .normal: .normal
    case .multiply: .multiply
    case .screen: .screen
    case .overlay: .overlay
    case .darken: .darken
    case .lighten: .lighten
    case .colorDodge: .colorDodge
    case .colorBurn: .colorBurn
    case .hardLight: .hardLight
    case .softLight: .softLight
    case .difference: .difference
    case .exclusion: .exclusion
    case .clear: .clear
    case .copy: .copy
    case .sourceIn: .sourceIn
    case .sourceOut: .sourceOut
    case .sourceAtop: .sourceAtop
    case .destinationOver: .destinationOver
    case .destinationIn: .destinationIn
    case .destinationOut: .destinationOut
    case .destinationAtop: .destinationAtop
    case .exclusiveOr: .exclusiveOr
    case .plusLighter: .plusLighter
    }
  }

  /// Whether what lies under nothing changes too.
  var reachesBeyondSource: Bool {
    switch self {
    case .clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop: true
    default: false
    }
  }

  /// Whether opaque images can become transparent.
  var canCutOpaque: Bool { reachesBeyondSource || self == .destinationOut || self == .exclusiveOr }
}
