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
first=$((count / 2)) failed=0
java $((count - first)) "$seed" &
if [ "$first" -gt 0 ]; then
    java "$first" $((seed + count - first)) || failed=1
fi
wait $! || failed=1
exit "$failed"
