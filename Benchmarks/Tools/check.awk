# baseline, now: says which rows cost more than 10 % more instructions than they did, or execute more locked ones, and fails if one
# does. A locked instruction takes as much time as some 30 others, so a row may lose half its speed by two of them.

NR == FNR {
  baseline[$1] = $2
  if (NF > 2) locked[$1] = $3
  next
}

{
  seen[$1] = 1
  rows++
  if (!($1 in baseline)) {
    printf "new   %-4s %8.1f\n", $1, $2
    missing++
  } else if (NF > 2 && $1 in locked && $3 > locked[$1] + 0.2) {
    printf "SLOW  %-4s %8.2f → %8.2f locked instructions\n", $1, locked[$1], $3
    slower++
  } else if ($2 > baseline[$1] * 1.1 + 0.5) {
    printf "SLOW  %-4s %8.1f → %8.1f  %+.0f %%\n", $1, baseline[$1], $2, ($2 / baseline[$1] - 1) * 100
    slower++
  } else if ($2 < baseline[$1] * 0.9) {
    printf "fast  %-4s %8.1f → %8.1f  %+.0f %%\n", $1, baseline[$1], $2, ($2 / baseline[$1] - 1) * 100
    faster++
  }
}

END {
  for (row in baseline) if (!(row in seen)) {
    printf "gone  %s\n", row
    missing++
  }
  if (faster || missing) print "Scripts/benchmark --update writes a new baseline."
  printf "benchmark: %d rows held, %d slower, %d not in both, %d s\n", rows - slower, slower, missing, seconds
  exit slower + missing > 0
}
