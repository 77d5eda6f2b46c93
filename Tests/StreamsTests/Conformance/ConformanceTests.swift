import Testing

@Suite("Combine's interface")
struct ConformanceTests {
  @Test("The conformance catalog has every declaration of Combine")
  func complete() {
    let operators = Catalog.families.flatMap { $0.operators }
    let specialised = Catalog.families.flatMap { $0.specialised }
    let types = Catalog.families.flatMap { $0.types }
    let members = Catalog.families.flatMap { $0.members }
    print(
      """
      API: types \(types.count) of 132, operator overloads \(operators.count) of 116, specialised members \
      \(specialised.count) of 143, other members \(members.count) of 686
      """)

    #expect(operators.count == 116)
    #expect(specialised.count == 143)
    #expect(types.count == 132)
    #expect(members.count == 686)
  }

  @Test("The conformance catalog lists each declaration once")
  func unique() {
    let kinds: [(any Family.Type) -> [Use]] = [
      { $0.operators }, { $0.specialised }, { $0.types }, { $0.members },
    ]

    for kind in kinds {
      let names = Catalog.families.flatMap(kind).map(\.declaration)
      #expect(Set(names).count == names.count)
    }
  }
}
