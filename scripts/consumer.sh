#!/usr/bin/env bash
# Installs the library into a repository of its own, builds examples/consumer against it and runs its programs.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD
. scripts/common.sh
need_jdk
need_maven

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

shows() { # TEXT NAME COMMAND...: the command must end well and print TEXT (a regular expression), where one is given
    local text=$1 name=$2 start=$SECONDS
    shift 2
    if "$@" >"$work/out" 2>&1 </dev/null && { [ -z "$text" ] || grep -Eq -- "$text" "$work/out"; }; then
        printf '  ok      %3d s  %s\n' $((SECONDS - start)) "$name"
    else
        failed=$((failed + 1))
        echo "  FAILED  $name"
        echo "          wanted \"$text\"; got:"
        tail -20 "$work/out" | sed 's/^/          | /'
    fi
}

shows '' 'install into a repository of its own' scripts/install.sh "$work/repository"
cp -R examples/consumer "$work/consumer"
cd "$work/consumer" || exit 1
shows '' 'build against it' mvn -B -ntp -q -Dmaven.repo.local="$work/repository" process-classes
run() { "$JAVA_HOME/bin/java" --add-modules jdk.incubator.vector -cp 'target/classes:target/lib/*' "$@"; }
shows '^warm +[0-9]+\.[0-9]{4} ' EstimateReward run EstimateReward
shows '^A new engine costs [456]\.' EstimateChoiceModel run EstimateChoiceModel
shows '^ +15,000 ' ImitateCart run ImitateCart "$work/cart"
shows '^ +15,000 ' 'ImitateCart again' run ImitateCart "$work/cart" # finished: the same result again
# The Javadoc of the API, with every complaint an error.
shows '' 'Javadoc of the API' "$JAVA_HOME/bin/javadoc" -quiet -Xdoclint:all,-missing -Werror --release 25 -encoding UTF-8 -d "$work/javadoc" -cp 'target/lib/*' \
    "$root"/api/src/main/java/dev/revealed/api/*.java
[ "$failed" = 0 ]
