#!/usr/bin/env bash
# pack.sh [--short] FOLDER ARCHIVE.zip: packs the numbers of the runs in a folder (what was asked, the result, the metrics), for results/.
# Paths into the folder begin at it then. Those of demonstrations become ../shared/demos/NAME, or mere names where they are not there.
# --short leaves out metrics, and cuts numbers after seven digits or so, which halves the bytes once more.
# The archive holds one of files that are not compressed: so compression sees what runs have in common, and takes half the bytes.
set -euo pipefail

names=(spec.json result.json)
short=
if [ "${1:-}" = --short ]; then
    short=yes
    shift
else
    names+=(metrics.jsonl)
fi
[ $# -eq 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
archive=$(realpath -m "$2")
[ ! -e "$archive" ] || { echo "pack.sh: $2 is there already" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1"
top=$(pwd)
for name in "${names[@]}"; do # larger ones list the runs of a batch
    find . -mindepth 2 -name checkpoint -prune -o -type f -name "$name" -size -64k -print0 | xargs -0 cp --parents -t "$work"
done
cd "$work"
find . -type f -exec sed -i "s#\"$top/#\"#g" {} +
find . -type f -exec sed -i -E 's#"/[^"]*/([^"/]+\.npz)"#"\1"#g' {} +
for demos in "$root"/../shared/demos/*.npz; do
    find . -type f -exec sed -i "s#\"${demos##*/}\"#\"../shared/demos/${demos##*/}\"#g" {} +
done
if [ -n "$short" ]; then
    find . -type f -exec sed -i -E 's/([0-9]{3}\.[0-9]{3})[0-9]+/\1/g; s/([0-9]\.[0-9]{6})[0-9]+/\1/g; s/^ +//; s/ : /:/' {} +
fi
find . -type f | LC_ALL=C sort | sed 's#^\./##' | zip -X -0 -q runs.zip -@
zip -X -9 -q "$archive" runs.zip
