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
    if [ "$got" = "$code" ] && grep -Eq -- "$text" "$work/out" "$work/err"; then
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

document() { # Of the last try: standard output must be one JSON document and nothing else
    if [ "$(head -c 1 "$work/out")" != "{" ] || [ "$(grep -c '^{' "$work/out")" != 1 ] || [ "$(tail -n 1 "$work/out")" != "}" ]; then
        failed=$((failed + 1))
        echo "  FAILED  the command above did not print exactly one JSON document"
    fi
}

try 0 'Report: .*report.html' ./revealed demo --out "$work/demo"
try 0 '^mud,-1\.' cat "$work/demo/estimate.csv"
try 2 'not empty' ./revealed demo --out "$work/demo"
try 0 '"converged" : true' ./revealed demo --json --out "$work/demo-json"
document
try 0 'true reward' ./revealed simulate --model gridworld --out "$work/example"
try 0 'Converged: +yes' ./revealed estimate --mdp "$work/example/mdp.npz" --trajectories "$work/example/trajectories.csv" --out "$work/fit"
try 0 '"method" : "nfxp"' ./revealed estimate --mdp "$work/example/kernel.csv" --features "$work/example/features.csv" \
    --discount 0.9 --trajectories "$work/example/trajectories.csv" --method nfxp --json --out "$work/nfxp"
document
sed '2s/[^,]*$/0.9/' "$work/example/kernel.csv" >"$work/bad.csv"
try 2 'bad.csv.*state 0.*action 0.*sums? to' ./revealed estimate --mdp "$work/bad.csv" --discount 0.9 \
    --trajectories "$work/example/trajectories.csv" --out "$work/never"
silent
try 0 'nothing' bash -c '[ -e "$0" ] || echo nothing' "$work/never"
try 0 'panel.csv' ./revealed simulate --model rust-bus --individuals 60 --periods 60 --parameters RC=6,theta11=20,theta30=0.35,theta31=0.64 \
    --out "$work/buses"
try 0 '^theta11 ' ./revealed estimate --model rust-bus --data "$work/buses/panel.csv" --method nfxp --out "$work/bus-fit"
try 0 '"iterationsToWithin1e3"' ./revealed estimate --model rust-bus --data "$work/buses/panel.csv" --json --out "$work/bus-json"
document
try 0 'replace' ./revealed counterfactual --from "$work/bus-fit" --set RC=3 --intervals delta --out "$work/bus-what-if"
try 2 "Did you mean 'nfxp'" ./revealed estimate --model rust-bus --data "$work/buses/panel.csv" --method nfpx --out "$work/never"
sed '1s/mileage/milage/' "$work/buses/panel.csv" >"$work/milage.csv"
try 2 'milage.csv.*mileage' ./revealed estimate --model rust-bus --data "$work/milage.csv" --out "$work/never"
silent
head -c 1000 "$work/example/mdp.npz" >"$work/cut.npz"
try 2 'cut.npz' ./revealed estimate --mdp "$work/cut.npz" --trajectories "$work/example/trajectories.csv" --out "$work/never"
try 2 'Possible solutions: --seed' ./revealed demo --sede 1
if [ -w /dev/full ]; then
    try 2 'full' ./revealed demo --out /dev/full/demo
fi
try 0 '29511036' ./revealed certify --reward-range 20 --discount 0.99 --actions 5 --accuracy 1 --json
document
try 0 '"nsPerNonzero"' ./revealed bench bellman --states 20000 --repetitions 5 --json
document
try 0 'Newton' ./revealed bench solve --size 60 --discount 0.999
for verb in demo estimate simulate counterfactual certify "reproduce gridworld" "reproduce mountain-car" "reproduce theory" \
    "reproduce rust" "reproduce nfxp-vs-mpec" "reproduce coverage" "reproduce reward-coverage" "reproduce highdim" "reproduce mountain-car-deep" expert imitate reward reward-intervals \
    evaluate record studio play "bench bellman" "bench solve" "bench estimate" "bench mujoco" "bench sac" gpu bundle; do
    # shellcheck disable=SC2086  # the verb may be two words
    try 0 'Example' ./revealed $verb --help
done

if [ "$(uname)" = Linux ]; then # the archive must do without us: no Java, no home, no environment, from any folder
    try 0 'jdk.incubator.vector' ./revealed bundle --json --out "$work/revealed.tar.gz"
    document
    try 0 '"bytes"' ./revealed bundle --json --out "$work/again.tar.gz"
    try 0 'the same bytes' bash -c 'cmp "$0" "$1" && echo the same bytes' "$work/revealed.tar.gz" "$work/again.tar.gz"
    try 2 'already' ./revealed bundle --out "$work/revealed.tar.gz"
    try 2 'tar.gz' ./revealed bundle --out "$work/revealed.zip"
    try 0 'kernels (compile for|will be compiled)' ./revealed bundle --cuda --out "$work/cuda.tar.gz"
    try 0 'gpu --check' tar xzOf "$work/cuda.tar.gz" revealed/README.txt
    try 0 'small' bash -c '[ "$(wc -c <"$0")" -lt 67108864 ] && echo small' "$work/revealed.tar.gz"
    mkdir "$work/else where"
    tar xzf "$work/revealed.tar.gz" -C "$work/else where"
    try 0 '^revealed [0-9]' bash -c 'cd / && env -i "$0" --version' "$work/else where/revealed/revealed"
    try 0 '"usable" : (true|false)' env -i "$work/else where/revealed/revealed" gpu --json
    document
    try 0 'true reward' env -i HOME=/nonexistent "$work/else where/revealed/revealed" simulate --model gridworld --out "$work/bundled"
    try 0 '"converged" : true' env -i "$work/else where/revealed/revealed" estimate --mdp "$work/bundled/mdp.npz" \
        --trajectories "$work/bundled/trajectories.csv" --json --out "$work/bundled-fit"
    document
    if [ -d "$work/else where/revealed/native" ] || [ "${CI:-}" = true ]; then # it brings MuJoCo; in CI it must
        try 0 'Report' env -i "$work/else where/revealed/revealed" expert --task hopper --steps 400 --random-steps 300 \
            --evaluate-every 400 --episodes 1 --hidden 16 --out "$work/bundled-expert"
        try 0 '"meanReturn"' bash -c 'cd / && env -i HOME=/nonexistent "$0" evaluate --policy "$1/bundled-expert" --task hopper \
            --episodes 2 --json --out "$1/bundled-score"' "$work/else where/revealed/revealed" "$work"
        document
        try 0 'episodes' env -i "$work/else where/revealed/revealed" record --policy "$work/bundled-expert" --task hopper \
            --episodes 2 --out "$work/shown"
        small="--task hopper --demos $work/shown/demonstrations.npz --hidden 16 --episodes 1"
        # shellcheck disable=SC2086  # words
        try 0 'true return' env -i "$work/else where/revealed/revealed" imitate $small --iterations 2 --block 200 --recent 400 \
            --random-steps 150 --bootstrap --seeds 1-2 --out "$work/imitated"
        try 0 '"pearson"' env -i "$work/else where/revealed/revealed" reward --reward "$work/imitated/seed-1" \
            --data "$work/shown/demonstrations.npz" --json
        document
        try 0 'step' env -i "$work/else where/revealed/revealed" reward-intervals --reward "$work/imitated" --data "$work/shown/demonstrations.npz" \
            --out "$work/sure"
        # shellcheck disable=SC2086
        try 0 'likelihood' env -i "$work/else where/revealed/revealed" imitate --method bc $small --iterations 100 --out "$work/cloned"
        # shellcheck disable=SC2086
        try 2 'no effect' env -i "$work/else where/revealed/revealed" imitate --method bc $small --temperature 1 --out "$work/never"
        try 2 'java.io.tmpdir' env REVEALED_JAVA_OPTS=-Djava.io.tmpdir=/nonexistent "$work/else where/revealed/revealed" evaluate \
            --policy "$work/bundled-expert"
    fi
fi

echo "smoke: $passed passed, $failed failed"
[ "$failed" = 0 ]
