# baseline, now: says which rows cost more than 10 % more than they did, and fails if one does.

NR == FNR {
  baseline[$1] = $2
  next
}

{
  seen[$1] = 1
  rows++
  if (!($1 in baseline)) {
    printf "new   %-4s %8.1f\n", $1, $2
    missing++
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
