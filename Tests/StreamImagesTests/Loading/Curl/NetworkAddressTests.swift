import StreamImages
import Testing

@Suite("`NetworkAddress`")
struct NetworkAddressTests {
  @Test(
    "The first and last addresses of a special-purpose block and their neighbors are public or not as registered",
    arguments: AddressBlock.all)
  func edges(_ block: AddressBlock) throws {
    #expect(try SpecialAddress.isPublic(block.first) == AddressBlock.isPublic(block.first))
    #expect(try SpecialAddress.isPublic(block.last) == AddressBlock.isPublic(block.last))
    for neighbor in block.neighbors {
      #expect(try SpecialAddress.isPublic(neighbor) == AddressBlock.isPublic(neighbor), "\(neighbor)")
    }
  }

  @Test(
    "An embedded IPv4 address is as public as the address itself",
    arguments: AddressBlock.all.filter { $0.first.count == 4 })
  func embedded(_ block: AddressBlock) throws {
    for address in [block.first, block.last] + block.neighbors {
      for form in SpecialAddress.embedding(address) {
        #expect(try SpecialAddress.isPublic(form) == AddressBlock.isPublic(address), "\(form)")
      }
    }
  }

  @Test("No address of a tunnel is public", arguments: ["8.8.8.8", "10.0.0.1"])
  func tunnels(_ text: String) throws {
    for form in SpecialAddress.tunneling(SpecialAddress.bytes(text)) {
      #expect(try !SpecialAddress.isPublic(form), "\(form)")
    }
  }

  @Test("An interface identifier that resembles that of ISATAP is public")
  func almostTunnels() throws {
    let network: [UInt8] = [0x26, 0x07, 0xF8, 0xB0, 0, 0, 0, 0]
    for start: [UInt8] in [
      [4, 0, 0x5E, 0xFE], [0, 1, 0x5E, 0xFE], [0, 0, 0x5F, 0xFE], [0, 0, 0x5E, 0xFF],
    ] {
      #expect(try SpecialAddress.isPublic(network + start + [10, 0, 0, 1]), "\(start)")
    }
  }

  @Test(
    "A prefix that differs in one bit from one with an embedded address is judged by its own block",
    arguments: [
      SpecialAddress.mapped, SpecialAddress.compatible, SpecialAddress.translated,
    ])
  func almostEmbedded(_ prefix: [UInt8]) throws {
    for bit in 0..<96 {
      var other = prefix
      other[bit / 8] ^= 0x80 >> (bit % 8)
      let address = other + [8, 8, 8, 8]

      #expect(try SpecialAddress.isPublic(address) == AddressBlock.isPublic(address), "bit \(bit)")
    }
  }

  @Test(
    "Two equal bytes before an IPv4 address embed it if they are 0 or 255", arguments: UInt8.min...UInt8.max)
  func equalBytes(_ byte: UInt8) throws {
    let address = SpecialAddress.compatible.prefix(10) + [byte, byte, 8, 8, 8, 8]

    #expect(try SpecialAddress.isPublic(Array(address)) == [0, 255].contains(byte))
  }

  @Test("A prefix that differs in one bit from that of 6to4 is judged by its own block")
  func almost6to4() throws {
    for bit in 0..<16 {
      var address = SpecialAddress.embedding([10, 0, 0, 1])[3]
      address[bit / 8] ^= 0x80 >> (bit % 8)

      #expect(try SpecialAddress.isPublic(address) == AddressBlock.isPublic(address), "bit \(bit)")
    }
  }

  @Test(
    "Only the networks of protocols and of clouds are not public in their block of IPv6",
    arguments: [
      ("2001:1ff:ffff::1", false), ("2001:200::1", true), ("2101:1::1", true), ("2301::1", true),
      ("2600:2d00:2:1000::1", false), ("2600:2d00:2:1001::1", true), ("2600:2d00:2:fff::1", true),
      ("2600:2d00:2:2000:ffff:ffff:ffff:ffff", false), ("2600:2d00:102:1000::1", true),
      ("2002:a83f:8110::1", false), ("2002:a83f:8111::1", true), ("2002:c724:9904::1", false),
      ("2002:c724:9903::1", true), ("2002:a6c0::1", true), ("2002:a60b:ffff::1", false),
      ("2002:a60c::1", true),
    ])
  func clouds(_ row: (text: String, isPublic: Bool)) throws {
    #expect(try SpecialAddress.isPublic(SpecialAddress.bytes(row.text)) == row.isPublic, "\(row.text)")
  }

  @Test("An address has 4 or 16 bytes", arguments: 0...17)
  func counts(_ count: Int) {
    let address = NetworkAddress(bytes: [UInt8](repeating: 1, count: count), port: 1)

    #expect((address != nil) == (count == 4 || count == 16))
  }

  @Test(
    "An address is described with its port",
    arguments: [
      ("1.2.3.255", "1.2.3.255:80"), ("::1", "[0:0:0:0:0:0:0:1]:80"),
      ("102:304:506:708:90a:b0c:d0e:f10", "[102:304:506:708:90a:b0c:d0e:f10]:80"),
    ])
  func descriptions(_ text: String, _ description: String) throws {
    let address = try #require(NetworkAddress(bytes: SpecialAddress.bytes(text), port: 80))

    #expect(address.description == description)
  }
}
