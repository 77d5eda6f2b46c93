internal import CShards
import SelfChecks

let complaints = SelfCheck.complaints
for complaint in complaints { print(complaint) }
cshards_exit(complaints.isEmpty ? 0 : 1)
