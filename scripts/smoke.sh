#!/usr/bin/env bash
# Tries ./revealed as a user would. Add a line per promise: try EXIT-CODE EXPECTED-TEXT COMMAND...
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() { # CODE TEXT COMMAND...: the command must end with CODE and print TEXT (a regular expression) somewhere
    local code=$1 text=$2 got=0
    shift 2
    "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
    if [ "$got" = "$code" ] && cat "$work/out" "$work/err" | grep -Eq -- "$text"; then
        passed=$((passed + 1))
        echo "  ok      $*"
    else
        failed=$((failed + 1))
        echo "  FAILED  $*"
        echo "          wanted exit $code and \"$text\"; got exit $got and:"
        cat "$work/out" "$work/err" | head -20 | sed 's/^/          | /'
    fi
}

silent() { # Like the last try, but of its standard output: it must be empty
    if [ -s "$work/out" ]; then
        failed=$((failed + 1))
        echo "  FAILED  the command above wrote to standard output"
    fi
}

try 0 'Usage: revealed' ./revealed --help
try 0 '^revealed [0-9]+\.[0-9]+' ./revealed --version
try 2 'Unknown option.*--helpp' ./revealed --helpp
silent
ln -s "$PWD/revealed" "$work/a link"
try 0 '^revealed [0-9]' bash -c 'cd / && "$0" --version' "$work/a link"

echo "smoke: $passed passed, $failed failed"
[ "$failed" = 0 ]
