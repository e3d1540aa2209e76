#!/bin/bash
# Counts INPUT in PARTS parts by GNU parallel, on this machine or on HOSTS, and merges them:
#
#   INPUT=big.mtx PARTS=100 HOSTS=node1,node2,: examples/schedulers/parallel.sh
#
# HOSTS: as parallel's --sshlogin has them, ':' being this machine; each sees WORK and has countpm. JOBS: parts at a time
# and host; the threads of a host are shared between them. The number is printed, and is in WORK/count. Run it again after
# an interruption or a lost host: parts go on where they were, and those that are done are read and left alone.
set -euo pipefail

: "${INPUT:?the file to count}"
: "${PARTS:=16}"
: "${JOBS:=2}"
: "${HOSTS:=:}"
: "${WORK:=$PWD/countpm-parts}"
: "${COUNTPM:=countpm}"
: "${OPTIONS:=}" # of countpm split, such as '--method pruned --weights'

mkdir -p "$WORK"
if [[ ! -e $WORK/part-$PARTS.part ]]; then
  # shellcheck disable=SC2086 # several options
  "$COUNTPM" split "$INPUT" --parts "$PARTS" -o "$WORK/part" --time-limit none $OPTIONS > /dev/null
fi
# A part that fails (a host that died) is tried three times, then left to the next run.
seq "$PARTS" | parallel --sshlogin "$HOSTS" --jobs "$JOBS" --retries 3 --joblog "$WORK/log" \
  "$(printf %q "$COUNTPM") resume $(printf %q "$WORK")/part-{}.part --time-limit none --quiet --threads \$(( (\$(nproc) + $JOBS - 1) / $JOBS ))" ||
  echo "some parts are not done; the merge says which" >&2
"$COUNTPM" merge "$WORK"/part-*.part --quiet > "$WORK/count.new"
mv "$WORK/count.new" "$WORK/count"
cat "$WORK/count"
