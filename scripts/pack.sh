#!/usr/bin/env bash
# pack.sh FOLDER ARCHIVE.zip: packs the numbers of the runs in a folder (what was asked, the result, the metrics), for results/.
# Paths into the folder begin at it then. Those of demonstrations become ../shared/demos/NAME, or mere names where they are not there.
# The archive holds one of files that are not compressed: so compression sees what runs have in common, and takes half the bytes.
set -euo pipefail

[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
archive=$(realpath -m "$2")
[ ! -e "$archive" ] || { echo "pack.sh: $2 is there already" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
top=$(pwd)
find . -mindepth 2 \( -name checkpoint -prune \) -o -type f \( -name spec.json -o -name result.json -o -name metrics.jsonl \) \
    -print0 | xargs -0 cp --parents -t "$work"
cd "$work"
find . -type f -exec sed -i "s#\"$top/#\"#g" {} +
find . -type f -exec sed -i -E 's#"/[^"]*/([^"/]+\.npz)"#"\1"#g' {} +
for demos in "$root"/../shared/demos/*.npz; do
    find . -type f -exec sed -i "s#\"${demos##*/}\"#\"../shared/demos/${demos##*/}\"#g" {} +
done
find . -type f | LC_ALL=C sort | sed 's#^\./##' | zip -X -0 -q runs.zip -@
zip -X -9 -q "$archive" runs.zip
