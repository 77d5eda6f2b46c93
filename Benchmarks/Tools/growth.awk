# counted.tsv, list: prints SERIES TITLE SIZE and the cost of an event's share, unless work that is done once hides it.

NR == FNR {
  cost[$1] = $2
  next
}

cost[$1] > 0 { printf "%s\t%s\t%d\t%.1f\n", $2, $6, $3, cost[$1] / $4 / $5 }
