#!/usr/bin/env bash
# Runs the commands of app/src/test/resources/golden/commands.txt, whose numbers golden.py freezes and compares:
#   scripts/golden.sh [REVEALED] OUTDIR      REVEALED: the launcher to run (default: that of this checkout)
#   scripts/golden.py compare app/src/test/resources/golden/numbers.json.gz OUTDIR
# Each command leaves OUTDIR/NAME/stdout.json (or stdout.txt), stderr.txt and its folder out/. Takes about 4 minutes on
# two cores. GOLDEN_ONLY=REGEX runs only the commands whose name matches; GOLDEN_SHARED is the folder of data and
# demonstrations (default: shared, beside the checkout). Needs MuJoCo 2.2.2.
#
# The numbers do not depend on threads, on when a kill comes, or on the width of the vector registers: with
# REVEALED_JAVA_OPTS=-XX:UseAVX=2 (256 bits) they were the same as with AVX-512, bit for bit. They were frozen on
# x86-64; on other processors Java's exp and log and MuJoCo's C library may round differently.
#
# On a GPU (an H200 made them; Walker2d goes through the fall of its acting policy near 1.5 million steps, 5 minutes):
#   sed "s#{shared}#../shared#" app/src/test/resources/golden/gpu.txt >gpu.txt
#   ./revealed imitate --runs gpu.txt --device cuda --out OUTDIR/gpu
#   scripts/golden.py compare app/src/test/resources/golden/gpu.json.gz OUTDIR
set -uo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
case $# in
1) revealed=$root/revealed ;;
2) revealed=$(readlink -f "$1") && shift ;;
*) echo "usage: scripts/golden.sh [REVEALED] OUTDIR" >&2 && exit 2 ;;
esac
golden=$root/app/src/test/resources/golden
shared=$(readlink -f "${GOLDEN_SHARED:-$root/../shared}")
mkdir -p "$1" && cd "$1" || exit 2

failed=0
launch() { # NAME KIND COMMAND...: its standard output goes to stdout.KIND
    local name=$1 kind=$2 start=$SECONDS code=0
    shift 2
    "$revealed" "$@" --threads 2 --out "$name/out" >"$name/stdout.$kind" 2>>"$name/stderr.txt" </dev/null || code=$?
    printf '%4d s  %s\n' $((SECONDS - start)) "$name"
    if [ "$code" != 0 ]; then
        failed=$((failed + 1))
        echo "  FAILED with exit code $code: $*"
        tail -5 "$name/stderr.txt"
    fi
}

killed() { # NAME COMMAND...: killed after its second checkpoint, then resumed. The moment changes no number.
    local name=$1 pid
    shift
    "$revealed" "$@" --threads 2 --out "$name/out" >"$name/first.txt" 2>"$name/stderr.txt" </dev/null &
    pid=$!
    while kill -0 "$pid" 2>/dev/null && [ "$(find "$name" -path '*/checkpoint/*.json' 2>/dev/null | wc -l)" -lt 2 ]; do
        sleep 0.02
    done
    kill -9 "$pid" 2>/dev/null && echo "        $name: killed"
    wait "$pid" 2>/dev/null
    launch "$name" json "$1" --resume --json
}

while read -r name kind arguments <&3; do
    [[ $name == "" || $name == \#* || ! $name =~ ${GOLDEN_ONLY:-.} ]] && continue
    arguments=${arguments//\{out\}/.}
    arguments=${arguments//\{shared\}/\"$shared\"}
    arguments=${arguments//\{golden\}/\"$golden\"}
    arguments=${arguments//\{examples\}/\"$root/examples\"}
    arguments=${arguments//\{results\}/\"$root/results\"}
    eval "words=($arguments)"
    rm -rf "./$name" && mkdir "$name"
    case $kind in
    json*) launch "$name" json "${words[@]}" --json ;;
    text*) launch "$name" txt "${words[@]}" ;;
    killed*) killed "$name" "${words[@]}" ;;
    esac
done 3<"$golden/commands.txt"

echo "golden: $failed failed, $SECONDS s"
[ "$failed" = 0 ]
