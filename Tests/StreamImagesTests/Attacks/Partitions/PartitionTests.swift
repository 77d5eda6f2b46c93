import StreamImages
import Testing

extension Attacks {
  @Suite("Partitions", .timeLimit(.minutes(20)))
  struct PartitionTests {
    @Test(
      "Two visitors of one URL never get each other's image, from whatever stores or shares it",
      arguments: PartitionLayer.all, VisitorDifference.all)
    func layers(_ layer: PartitionLayer, _ difference: VisitorDifference) async throws {
      let visit = try Visit(telling: difference)

      let images = try await layer.use(visit)

      #expect(images == layer.right)
      #expect(visit.origin.requests.count == layer.requestCount)
    }
  }
}
