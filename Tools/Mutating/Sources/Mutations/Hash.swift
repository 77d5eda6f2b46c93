/// FNV-1a, and mixed once more, so that what differs in the last byte is not next to each other.
public enum Hash {
  public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
    return hash ^ (hash >> 29)
  }
}
