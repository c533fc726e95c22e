#!/usr/bin/env bash
# Installs the library, what programs of others depend on, into the local Maven repository: scripts/install.sh
# With --release it installs jars of sources and Javadoc as well (some minutes).
# With a folder it installs there instead; everything else is read from the local repository.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/scripts/common.sh"
need_jdk
need_maven

options=()
if [ "${1:-}" = --release ]; then
    options+=(-Prelease)
    shift
fi
if [ "$#" -gt 0 ]; then # a repository whose other entries are links, so that ours come to lie nowhere else
    mkdir -p "$1/dev"
    for entry in "$HOME"/.m2/repository/* "$HOME"/.m2/repository/dev/*; do
        link=$1/${entry#"$HOME"/.m2/repository/}
        case ${entry#"$HOME"/.m2/repository/} in dev | dev/revealed) continue ;; esac
        [ ! -e "$entry" ] || [ -e "$link" ] || ln -s "$entry" "$link"
    done
    options+=(-Dmaven.repo.local="$(cd "$1" && pwd)")
fi
cd "$root"
mvn -B -ntp -q -Dquick -Dmaven.test.skip=true "${options[@]}" -pl bom,api -am install </dev/null
