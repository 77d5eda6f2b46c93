import Foundation
import StreamImages
import Testing

extension Attacks {
  @Suite("Special addresses", .timeLimit(.minutes(20)))
  struct SpecialAddressTests {
    /// What clouds give their machines, and where that is documented.
    static let addresses: [(address: String, service: String, source: String)] = [
      (
        "169.254.169.254", "metadata of most clouds",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"
      ),
      (
        "169.254.169.253", "AWS: resolver",
        "https://docs.aws.amazon.com/vpc/latest/userguide/AmazonDNS-concepts.html"
      ),
      (
        "169.254.170.2", "AWS: credentials of tasks",
        "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html"
      ),
      (
        "169.254.170.23", "AWS: credentials of pods",
        "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html"
      ),
      (
        "fd00:ec2::254", "AWS: metadata",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"
      ),
      (
        "fd00:ec2::253", "AWS: resolver",
        "https://docs.aws.amazon.com/vpc/latest/userguide/AmazonDNS-concepts.html"
      ),
      (
        "fd00:ec2::23", "AWS: credentials of pods",
        "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html"
      ),
      (
        "168.63.129.16", "Azure: the platform, resolver, health probes",
        "https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16"
      ),
      (
        "fd20:ce::254", "Google: metadata", "https://cloud.google.com/compute/docs/metadata/querying-metadata"
      ),
      (
        "199.36.153.4", "Google: restricted interfaces",
        "https://cloud.google.com/vpc-service-controls/docs/private-connectivity"
      ),
      (
        "199.36.153.7", "Google: restricted interfaces",
        "https://cloud.google.com/vpc-service-controls/docs/private-connectivity"
      ),
      (
        "199.36.153.8", "Google: private interfaces",
        "https://cloud.google.com/vpc/docs/configure-private-google-access"
      ),
      (
        "199.36.153.11", "Google: private interfaces",
        "https://cloud.google.com/vpc/docs/configure-private-google-access"
      ),
      (
        "2600:2d00:2:1000::1", "Google: restricted interfaces",
        "https://cloud.google.com/vpc-service-controls/docs/private-connectivity"
      ),
      (
        "2600:2d00:2:2000::1", "Google: private interfaces",
        "https://cloud.google.com/vpc/docs/configure-private-google-access"
      ),
      (
        "100.100.100.200", "Alibaba: metadata",
        "https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata"
      ),
      (
        "fd00:c1::a9fe:a9fe", "Oracle: metadata",
        "https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm"
      ),
      (
        "192.0.0.192", "Oracle Classic: metadata",
        "https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html"
      ),
      (
        "161.26.0.10", "IBM: resolver and storage",
        "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc"
      ),
      (
        "161.26.255.255", "IBM: resolver and storage",
        "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc"
      ),
      ("166.8.0.1", "IBM: services", "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc"),
      (
        "166.11.255.255", "IBM: services",
        "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc"
      ),
      ("169.254.0.23", "Tencent: metadata", "https://www.tencentcloud.com/document/product/213/4934"),
      (
        "169.254.42.42", "Scaleway: metadata",
        "https://www.scaleway.com/en/docs/instances/reference-content/understanding-instance-metadata/"
      ),
      (
        "fd00:42::42", "Scaleway: metadata",
        "https://www.scaleway.com/en/docs/instances/reference-content/understanding-instance-metadata/"
      ),
      (
        "fd00:a9fe:a9fe::1", "Linode: metadata",
        "https://techdocs.akamai.com/cloud-computing/docs/overview-of-the-metadata-service"
      ),
    ]

    @Test(
      "Addresses of cloud services are not public, also when embedded in IPv6 addresses",
      arguments: addresses)
    func clouds(_ row: (address: String, service: String, source: String)) throws {
      let bytes = SpecialAddress.bytes(row.address)
      let forms = bytes.count == 4 ? SpecialAddress.embedding(bytes) + SpecialAddress.tunneling(bytes) : []
      for form in [bytes] + forms {
        #expect(try !SpecialAddress.isPublic(form), "\(form): \(row.service)")
      }
    }

    @Test(
      "Addresses next to those of cloud services are public",
      arguments: [
        "168.63.129.15", "168.63.129.17", "199.36.153.3", "199.36.153.12", "161.25.255.255", "161.27.0.0",
        "166.7.255.255",
        "166.12.0.0", "2600:2d00:2:fff::1", "2600:2d00:2:1001::1", "2600:2d00:2:1fff::1",
        "2600:2d00:2:2001::1", "2600:1f00::1",
      ])
    func neighbors(_ text: String) throws {
      #expect(try SpecialAddress.isPublic(SpecialAddress.bytes(text)))
    }
  }
}
