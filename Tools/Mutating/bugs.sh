# Sourced by Scripts/explore and Scripts/interleavings, which have a list of deliberate bugs each.

# try_bugs LIST COPY PART
#
# Puts each bug of the list whose name contains PART into COPY, one at a time, a copy of the repository `$root`. `build_copy` must build that,
# and `check_copy SCENARIO` must then fail and print by what. Without a bug, with the options in `without_a_bug`, it must pass, or its
# failures mean nothing.
try_bugs() {
  local list=$1 copy=$2 part=$3 found=0 bugs=() bug name scenario changed path said
  local insert=$root/Tools/Mutating/.build/debug/InsertBug
  said=$(swift build --package-path "$root/Tools/Mutating" --product InsertBug 2>&1) || { echo "$said" && return 1; }
  said=$("$insert" "$list") || { echo "$said" && return 1; }
  while IFS= read -r bug; do
    [[ ${bug%%$'\t'*} != *"$part"* ]] || bugs+=("$bug")
  done <<<"$said"
  ((${#bugs[@]})) || { echo "no bug of ${list##*/} contains $part" && return 1; }
  build_copy || return 1
  while IFS= read -r scenario; do
    if ! said=$(check_copy "$scenario" ${without_a_bug[@]+"${without_a_bug[@]}"}); then
      echo "without a bug: $said"
      return 1
    fi
  done < <(printf '%s\n' "${bugs[@]#*$'\t'}" | sort -u)
  for bug in "${bugs[@]}"; do
    name=${bug%%$'\t'*} scenario=${bug#*$'\t'}
    if ! changed=$("$insert" "$list" "$name" "$root" "$copy"); then
      echo "$changed"
      continue
    fi
    if ! build_copy; then
      echo "$name: does not compile"
    elif said=$(check_copy "$scenario"); then
      echo "$name: not found"
    else
      found=$((found + 1))
      echo "$name: found by ${said%%$'\n'*}"
    fi
    while IFS= read -r path; do cp "$root/$path" "$copy/$path"; done <<<"$changed"
  done
  said=${list##*/}
  echo "mutants of ${said%.txt}: $found of ${#bugs[@]} found"
  [[ $found == "${#bugs[@]}" ]]
}
