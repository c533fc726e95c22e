#!/usr/bin/env bash
# carry.sh FOLDER FILE...: packs the program, lists of runs and the demonstrations that they name into a folder, for a machine
# with a GPU that has neither Java nor a network. There:
#   bash FOLDER/begin.sh NAME OPTIONS...   begins the runs of NAME.txt in the background, after those begun before; OPTIONS are
#                                          those of imitate
#   bash FOLDER/look.sh SECONDS            waits so long, or until all are done; then packs their numbers into $OUT/runs.tgz
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/.." && pwd)

for file; do
    dir=$(dirname "$file")
    for demos in $(grep -v '^#' "$file" | grep -oP -- '--demos \K\S+' | sort -u); do
        name=${demos##*/}
        for from in "$demos" "$dir/$demos" "$root/$demos" "$folder/$name"; do # the last: put there by hand
            if [ -e "$from" ]; then break; fi
        done
        [ -e "$from" ] || { echo "carry.sh: $file names $demos, which is not there" >&2; exit 2; }
        if [ ! -e "$folder/$name" ]; then
            cp "$from" "$folder/$name"
        elif ! cmp -s "$from" "$folder/$name"; then
            echo "carry.sh: $file names $demos, and $folder has another $name; rename one, or remove the other" >&2
            exit 2
        fi
    done
    sed -E 's#(--demos )\S*/#\1#' "$file" >"$folder/${file##*/}"
done
cp "$root/results/table1/experts.json" "$folder/" # which demonstrations are whose, by their hash

"$root/revealed" bundle --cuda --out "$folder/program.tar.gz"
gunzip -c "$folder/program.tar.gz" | xz -T2 -6 >"$folder/program.tar.xz" # a quarter smaller
rm "$folder/program.tar.gz"

cat >"$folder/alive.sh" <<'END'
# Sourced by the other two. A file NAME.pid has PID:START, since another process may get the number, after a restart above all.

start() { # PID: when it was started, in ticks since the machine was; nothing where it has ended
    sed -n 's/.*) //p' "/proc/$1/stat" 2>/dev/null | awk '$1 != "Z" { print $20 }'
}

alive() { # PID:START
    [ -n "${1#*:}" ] && [ "$(start "${1%%:*}")" = "${1#*:}" ]
}
END
cat >"$folder/begin.sh" <<'END'
# begin.sh NAME OPTIONS...
set -e
cd "$(dirname "$0")"
. ./alive.sh
work=${WORK:-$HOME/carried} # outside the copy, which may be replaced
mkdir -p "$work/out"
earlier=$(cat "$work"/*.pid 2>/dev/null || :)
if ! sha256sum -c --status "$work/program.sum" 2>/dev/null; then # an older program is replaced
    for one in $earlier; do
        if alive "$one"; then
            echo "begin.sh: process ${one%%:*} still runs with an older program in $work;" \
                "wait for it (look.sh), or name another folder with WORK" >&2
            exit 1
        fi
    done
    python3 -c "import sys, tarfile; tarfile.open('program.tar.xz').extractall(sys.argv[1], filter='tar')" "$work"
    sha256sum program.tar.xz >"$work/program.sum"
fi
find . -maxdepth 1 -type f ! -name program.tar.xz -exec cp -- {} "$work/" \;
cp experts.json "$work/out/"
cd "$work"
name=$1
shift
setsid nohup bash -c '
    . ./alive.sh
    for one in $0; do while alive "$one"; do sleep 1; done; done
    exec revealed/revealed imitate "$@"' "$earlier" --runs "$name.txt" --out "out/$name" "$@" >"$name.log" 2>&1 </dev/null &
echo "$!:$(start $!)" >"$name.pid"
END
cat >"$folder/look.sh" <<'END'
# look.sh SECONDS
out=$(cd "${OUT:?the folder for the numbers}" && pwd) || exit 1
cd "${WORK:-$HOME/carried}" || exit 1
. ./alive.sh
end=$((SECONDS + $1))
for one in $(cat ./*.pid); do
    while [ $SECONDS -lt $end ] && alive "$one"; do sleep 1; done
done
for log in *.log; do
    echo "$log"
    tr '\r' '\n' <"$log" | tail -n 8
done
tar czf "$out/runs.tgz" ./*.log $(find out -name checkpoint -prune -o -type f -size -2M \
    \( -name '*.json' -o -name '*.jsonl' -o -name '*.csv' \) -print)
END
du -sh "$folder"
