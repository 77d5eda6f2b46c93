# counted.tsv, list: prints what each row takes, and fails if one takes more than its limit, or has none. `what` names the rows.

NR == FNR {
  cost[$1] = $2
  next
}

{
  isSlow = (!($1 in cost) || cost[$1] > $2)
  printf("%s %7.1f  (limit %5d)  %s\n", (isSlow ? "SLOW" : "  ok"), cost[$1], $2, $1)
  broken += isSlow
  count++
  hasLimit[$1] = 1
}

END {
  for (row in cost) if (!(row in hasLimit)) {
    printf("NONE %7.1f  (no limit)     %s\n", cost[row], row)
    count++
    broken++
  }
  printf("%s: %d held, %d broken\n", what, count - broken, broken)
  exit(broken > 0 || count == 0)
}
