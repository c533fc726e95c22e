#!/usr/bin/env bash
# Spoils inputs of every kind and runs every command that reads them, in two processes:
#   scripts/spoil.sh COUNT [SEED]      default seed: 1
# Prints how many commands of each kind ended how, and each failure with its seed; scripts/spoil.sh 1 SEED repeats it. The
# inputs of failures are kept in app/target/spoiled. Exits 1 where a command failed: an exit code other than 0 and 2, a stack
# trace, files left behind, or more than a minute. ./verify runs 500 of them (SpoiledInputsTest).
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
[ $# = 1 ] || [ $# = 2 ] || { echo "usage: scripts/spoil.sh COUNT [SEED]" >&2 && exit 2; }
count=$1 seed=${2:-1}
cd "$root"
. scripts/common.sh
need_jdk
need_maven
want_mujoco

path=$root/app/target/spoil.classpath
mvn -B -q -Dquick -pl app -am test-compile dependency:build-classpath -Dmdep.outputFile="$path" </dev/null >&2
java() {
    "$JAVA_HOME/bin/java" -Xmx3g -XX:+UseParallelGC --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
        -cp "app/target/quick/test-classes:app/target/quick/classes:$(cat "$path")" dev.revealed.app.spoil.SpoiledInputs "$@" app/target/spoiled "$work"
}
mkdir -p app/target/spoiled
work=${TMPDIR:-/tmp}
[ -w /dev/shm ] && work=/dev/shm # in memory: commands wait for the disk otherwise
second=$((count / 2)) failed=0
java $((count - second)) "$seed" >app/target/spoil-1.log 2>&1 &
java "$second" $((seed + count - second)) >app/target/spoil-2.log 2>&1 || failed=1
wait $! || failed=1
grep -hE '^(seed|slow)' app/target/spoil-1.log app/target/spoil-2.log || :
awk '/^command / { heading = $0; table = 1; next }
    / s, folder / { table = 0 }
    table { name = substr($0, 1, 38); split(substr($0, 39), n, " "); for (k = 1; k <= 4; k++) sum[name, k] += n[k]; seen[name] = 1 }
    END { print heading; for (name in seen)
        printf "%s %6d %6d %6d %8d\n", name, sum[name, 1], sum[name, 2], sum[name, 3], sum[name, 4] | "LC_ALL=C sort -k1,1" }' \
    app/target/spoil-1.log app/target/spoil-2.log
exit "$failed"
