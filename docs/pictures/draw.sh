#!/usr/bin/env bash
# Draws the pictures that countpm itself makes into the current folder, which has data/ in it: draw.sh [PROGRAM]
set -euo pipefail
program=${1:-countpm}

countpm() { "$program" "$@" --overwrite --quiet >/dev/null; }

countpm sample lattice:aztec:40 --svg aztec-40.svg
countpm sample lattice:hexagon:12x12x12 --svg hexagon-12.svg
countpm marginals data/molecules/coronene.edgelist --exact --svg coronene.svg
countpm sample lattice:aztec:24 --draw height --svg heights-24.svg
countpm marginals lattice:aztec:12 --svg probabilities-12.svg
countpm marginals lattice:square:21x21:remove=r10c10 --scale clip --svg monomer-21.svg
countpm marginals data/molecules/C60.edgelist --exact --svg C60.svg
countpm chem lattice:benzenoid:4343 --svg pyrene.svg
countpm chem data/molecules/naphthalene.edgelist --sheet naphthalene.svg
countpm many lattice:square:4x4..24x24:step=4 lattice:torus:4x4..24x24:step=4 --no-counts --svg growth.svg
printf '%s\n' 11001000 11000000 00110010 00110100 00001100 00001101 00000011 00000011 >blocks.dense
countpm explain blocks.dense --svg blocks.svg
