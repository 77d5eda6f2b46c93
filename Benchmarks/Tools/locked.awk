# addresses, profile: how often the locked instructions of `program` at these addresses were executed.

FNR == NR {
  locked[$1] = 1
  next
}

/^ob=/ { isMine = substr($0, length($0) - length(program)) == "/" program }
# The line after a call has the cost of what was called.
/^calls=/ { getline; next }
/^0x/ && isMine && $1 in locked { count += $3 }

END { print count + 0 }
