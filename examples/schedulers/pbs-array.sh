#!/bin/bash
# Counts INPUT in PARTS parts, each a task of an array of PBS Professional or OpenPBS, and merges them. Never tried on a
# cluster: only its syntax was checked.
#
#   INPUT=big.mtx PARTS=100 examples/schedulers/pbs-array.sh -l walltime=24:00:00 -l select=1:ncpus=16
#
# Run it with a shell on the login node; what it is given are options of qsub. The number is then in WORK/count. Run it
# again after tasks were cut off: parts go on where they were. WORK is on a file system that all nodes see.
set -euo pipefail

: "${INPUT:?the file to count}"
: "${PARTS:=16}"
: "${WORK:=$PWD/countpm-parts}"
: "${COUNTPM:=countpm}"
: "${OPTIONS:=}" # of countpm split, such as '--method pruned --weights'
self=$(realpath "${BASH_SOURCE[0]}")

case "${COUNTPM_STEP:-submit}" in
submit)
  mkdir -p "$WORK"
  if [[ ! -e $WORK/part-$PARTS.part ]]; then
    # shellcheck disable=SC2086 # several options
    "$COUNTPM" split "$INPUT" --parts "$PARTS" -o "$WORK/part" --time-limit none $OPTIONS
  fi
  variables="INPUT=$INPUT,PARTS=$PARTS,WORK=$WORK,COUNTPM=$COUNTPM"
  array=$(qsub -N countpm -J "1-$PARTS" -j oe -o "$WORK" -v "COUNTPM_STEP=count,$variables" "$@" "$self")
  merge=$(qsub -N countpm-merge -W "depend=afterany:$array" -j oe -o "$WORK" -v "COUNTPM_STEP=merge,$variables" "$@" "$self")
  echo "parts: job $array; merge: job $merge; the number: $WORK/count"
  ;;
count)
  # PBS sends TERM before it kills: the part is written, and goes on another time.
  exec "$COUNTPM" resume "$WORK/part-$PBS_ARRAY_INDEX.part" --time-limit none --threads "${NCPUS:-1}" --progress=lines
  ;;
merge)
  "$COUNTPM" merge "$WORK"/part-*.part --report > "$WORK/count.new"
  mv "$WORK/count.new" "$WORK/count"
  ;;
esac
