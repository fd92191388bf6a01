# Sourced: says which tests were skipped.

# skipped_reasons: reads reports of Surefire on standard input; a line for each reason: its count and its words.
skipped_reasons() {
  awk '
    /<skipped/ {
      reason = $0
      if (sub(/.*<!\[CDATA\[/, "", reason)) sub(/\]\]>.*/, "", reason)
      else if (sub(/.*<skipped[^>]*message="/, "", reason)) { sub(/".*/, "", reason); sub(/&#10;.*/, "", reason) }
      else reason = "no reason given"
      sub(/^[A-Za-z0-9_.$]*Exception: /, "", reason)
      sub(/^Assumption failed: /, "", reason)
      sub(/^SKIPPED: /, "", reason)
      gsub(/&quot;/, "\"", reason); gsub(/&lt;/, "<", reason); gsub(/&gt;/, ">", reason); gsub(/&amp;/, "\\&", reason)
      count[reason]++
    }
    END { for (reason in count) printf "%6d  %s\n", count[reason], reason }
  ' | sort -k1,1nr -k2
}

# say_skipped FOLDER MARK: what the reports below FOLDER that are newer than the file MARK tell of skipped tests.
say_skipped() {
  local reasons
  reasons=$(find "$1" -path '*/target/surefire-reports/TEST-*.xml' -newer "$2" -exec cat {} + | skipped_reasons)
  if [ -z "$reasons" ]; then
    printf 'no test was skipped\n'
  else
    printf 'tests skipped: %s\n%s\n' "$(printf '%s\n' "$reasons" | awk '{ n += $1 } END { print n }')" "$reasons"
  fi
}
