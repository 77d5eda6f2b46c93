# counted.tsv, list: prints what a value of each floor takes, and fails if one takes more than its limit.

NR == FNR {
  cost[$1] = $2
  next
}

{
  isSlow = (!($1 in cost) || cost[$1] > $2)
  printf("%s %7.1f  (limit %5d)  %s\n", (isSlow ? "SLOW" : "  ok"), cost[$1], $2, $1)
  broken += isSlow
  count++
}

END {
  printf("speed floors: %d held, %d broken\n", count - broken, broken)
  exit(broken > 0 || count == 0)
}
