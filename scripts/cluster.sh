#!/usr/bin/env bash
# Tries a real Spark cluster: a master and two workers, processes of their own on this machine, on loopback only. Machines
# are killed, disks fill, files are damaged: the answer must be that of one machine, or a clear message.
# Run by ./verify --cluster. Needs a few minutes, and 278 MB of Spark, which ./revealed fetches.
# With --measure instead, and the name of what is to be measured, or of nothing for all of it:
#   bootstrap  2,000 replications of rust-bus on one worker, on two, and on threads
#   long       20,000 replications on one worker and on two
#   slow       600 replications of a larger model on one worker and on two
#   rows       an estimate from 101 million rows with and without Spark
#   types      two types by EM, and temporal differences, on 10 million rows with and without Spark
# There a worker is a machine of one core: worker 1 has the first, worker 2 the second to itself (taskset). Master and
# driver run where there is room, as they would on a third machine.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD
. scripts/common.sh
need_jdk

passed=0 failed=0 skipped=0
work=$(mktemp -d)
declare -A pids=()
pin=() # what a machine is started with
trap 'stop master worker1 worker2; umount "$work/small" 2>/dev/null; [ "$failed" != 0 ] || rm -rf "$work"' EXIT

ok() { passed=$((passed + 1)) && echo "  ok      $*"; }
bad() { # WHAT FILE...: with the end of what was printed
    failed=$((failed + 1))
    echo "  FAILED  $1 (all files: $work)"
    shift
    tail -n 8 "$@" 2>/dev/null | cut -c 1-200 | sed 's/^/          | /'
}
check() { # WHAT COMMAND...: the command must succeed
    local what=$1
    shift
    if "$@" >"$work/check" 2>&1; then ok "$what"; else bad "$what" "$work/check"; fi
}

daemon() { # NAME CLASS ARGUMENT...
    local name=$1 class=$2
    shift 2
    env SPARK_HOME="$home" SPARK_LOCAL_IP=127.0.0.1 SPARK_SCALA_VERSION=2.13 SPARK_NO_DAEMONIZE=1 \
        "${pin[@]}" "$JAVA_HOME/bin/java" -Xmx512m -cp "$home/jars/*" "org.apache.spark.deploy.$class" --host 127.0.0.1 --webui-port 0 "$@" \
        >"$work/$name.log" 2>&1 </dev/null &
    pids[$name]=$!
    disown
}
stop() { # NAME...: the machine is gone at once, with what runs on it
    local name pid
    for name; do
        pid=${pids[$name]:-}
        [ -z "$pid" ] && continue
        # shellcheck disable=SC2046  # ids are words
        kill -9 "$pid" $(pgrep -P "$pid") 2>/dev/null
        unset "pids[$name]"
    done
}
until_true() { # SECONDS COMMAND...: waits for the command to succeed
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}
worker() { # NAME FOLDER
    [ "$measured" = no ] || pin=(taskset -c $((${1#worker} - 1)))
    daemon "$1" worker.Worker --cores 1 --memory 1g --work-dir "$2" "$master"
    pin=()
    until_true 60 grep -q 'Successfully registered' "$work/$1.log" || bad "$1 did not start" "$work/$1.log"
}

measured=no # or what is to be measured
[ "${1:-}" != --measure ] || measured=${2:-all}
case $measured in
    no | all | bootstrap | long | slow | rows | types) ;;
    *) say "cluster.sh: nothing is called '$measured': there is bootstrap, long, slow, rows, types" && exit 2 ;;
esac

lines() { [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; } # FILE COUNT
numbers() { [ -s "$1" ] && grep -viE '"[a-z]*seconds"' "$1"; } # FILE: a document without its clocks
same() { diff <(numbers "$1") <(numbers "$2"); }
alike() { # FILE FILE: numbers agree to 1e-10, those that are added up in another order
    paste <(digits "$1") <(digits "$2") | awk '
        { d = $1 - $2; size = $1 < 0 ? -$1 : $1; if (NF != 2 || d * d > 1e-20 * (1 + size) ^ 2) { print; wrong = 1 } }
        END { exit wrong || NR == 0 }'
}
digits() { numbers "$1" | grep -oE -- '-?[0-9]+([.][0-9]+)?([eE]-?[0-9]+)?'; }
revealed() { ./revealed "$@" </dev/null; }
spark() { SPARK_LOCAL_IP=127.0.0.1 revealed "$@" --engine spark --master "$master"; }

large() { # NAME COUNT RC SEED FIRST: so many buses whose engine costs that, from that number on, in four CSV files
    revealed simulate --model rust-bus --individuals "$2" --periods 100 --seed "$4" \
        --parameters "RC=$3,theta11=2,theta30=0.35,theta31=0.64" --out "$work/all" >/dev/null 2>&1
    mkdir -p "$work/$1"
    awk -F, -v OFS=, -v first="$5" -v each=$(($2 * 25 + 777)) -v name="$work/$1/$4" '
        NR == 1 { header = $0; next }
        { $1 += first; file = name "-" int((NR - 2) / each) ".csv"; if (!(file in begun)) { begun[file]; print header > file } print > file }' \
        "$work/all/panel.csv"
    rm -r "$work/all"
}
two_types() { # NAME COUNT: buses of two types
    large "$1" $(($2 / 2)) 6 1 0
    large "$1" $(($2 / 2)) 14 2 $(($2 / 2))
}

revealed simulate --model rust-bus --individuals 100 --periods 60 --out "$work/buses" >/dev/null || exit 1
panel=$work/buses/panel.csv
bootstrap=(estimate --model rust-bus --data "$panel" --bootstrap 400)
# The first start fetches Spark, where it is not there yet.
if [ "$measured" = no ]; then
    revealed "${bootstrap[@]}" --out "$work/alone" >/dev/null 2>"$work/err" || bad "one machine" "$work/err"
    check "local mode: the numbers of one machine" \
        ./revealed "${bootstrap[@]}" --engine spark --master 'local[2]' --out "$work/local"
    check "... they are the same" same "$work/alone/result.json" "$work/local/result.json"
else
    ./revealed "${bootstrap[@]:0:5}" --bootstrap 2 --engine spark --master 'local[1]' --out "$work/local" >/dev/null 2>"$work/err" ||
        bad "Spark does not start" "$work/err"
fi

seconds() { # COMMAND...: how long it took
    local start=$EPOCHREALTIME
    "$@" >"$work/out" 2>"$work/err" || bad "$*" "$work/err"
    awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'
}

home=$root/spark/target/quick/revealed/spark
port=$((20000 + RANDOM % 20000))
master=spark://127.0.0.1:$port
daemon master master.Master --port "$port"
until_true 60 grep -q 'I have been elected leader' "$work/master.log" || bad "the master did not start" "$work/master.log"
worker worker1 "$work/worker1"
close_enough() { # FILE FILE: alike, but for what is rounding at a maximum
    grep -viE 'gradient|pass(es)?"' "$1" >"$work/one" && grep -viE 'gradient|pass(es)?"' "$2" >"$work/other" && alike "$work/one" "$work/other"
}

if [ "$measured" != no ]; then
    asked() { [ "$measured" = all ] || [ "$measured" = "$1" ]; }
    processor() { # seconds of CPU time that the executor of each worker has used
        local name pid hertz
        hertz=$(getconf CLK_TCK)
        for name in worker1 worker2; do
            [ -z "${pids[$name]:-}" ] || for pid in $(pgrep -P "${pids[$name]}"); do
                awk -v hertz="$hertz" '{ printf "%.1f ", ($14 + $15) / hertz }' "/proc/$pid/stat" 2>/dev/null
            done
        done
    }
    replications() { # NAME COUNT COMMAND OPTION...: seconds of so many replications, and of all but the first fifth
        local out=$work/$1 count=$2 start=$EPOCHREALTIME warm whole last before after
        "$3" estimate --model rust-bus --data "$panel" --bootstrap "$count" --out "$out" "${@:4}" >"$work/out" 2>"$work/err" &
        until_true 600 lines "$out/checkpoint/bootstrap.jsonl" $((count / 5 + 1))
        warm=$EPOCHREALTIME before=$(processor)
        until_true 600 lines "$out/checkpoint/bootstrap.jsonl" $((count + 1))
        after=$(processor)
        last=$(awk -v from="$warm" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }')
        wait "$!" || bad "$*" "$work/err"
        whole=$(awk -v from="$start" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }')
        echo "$count replications, $1: $whole s in all, the last $((count - count / 5)) in $last s"
        [ -z "$after" ] || echo "  CPU seconds of each executor: $before until then, $after at the end"
    }
    workers() { # NAME COUNT OPTION...: on one worker, then on two
        replications "$1-one-worker" "$2" spark "${@:3}"
        worker worker2 "$work/worker2"
        replications "$1-two-workers" "$2" spark "${@:3}"
        check "the numbers are the same" same "$work/$1-one-worker/result.json" "$work/$1-two-workers/result.json"
        stop worker2
    }
    if asked bootstrap; then
        workers short 2000
        replications threads 2000 revealed --threads 2
        check "... and without Spark" same "$work/threads/result.json" "$work/short-two-workers/result.json"
    fi
    asked long && workers long 20000
    asked slow && workers slow 600 --set bins=900 --method nfxp
    stop master worker1
    in_local_mode() { # WHAT FILE OPTION...: with and without Spark, on two threads
        local plain local2 command=(estimate --model rust-bus --data "$2" --threads 2 "${@:3}")
        plain=$(seconds revealed "${command[@]}" --out "$work/$1-plain")
        local2=$(seconds revealed "${command[@]}" --engine spark --master 'local[2]' --out "$work/$1-local2")
        check "the estimates are the same" close_enough "$work/$1-plain/result.json" "$work/$1-local2/result.json"
        echo "$1, whole commands: two threads without Spark $plain s, local[2] $local2 s"
    }
    if asked rows; then
        revealed simulate --model rust-bus --individuals 1000000 --periods 100 --format parquet --out "$work/many" >/dev/null 2>&1
        in_local_mode "101 million rows" "$work/many/panel.parquet"
    fi
    if asked types; then
        two_types mixed 100000
        in_local_mode "two types" "$work/mixed" --types 2 --type-parameters RC
        in_local_mode "temporal differences" "$work/mixed" --method td-ccp
    fi
    [ "$failed" = 0 ]
    exit
fi
worker worker2 "$work/worker2"

check "bootstrap on two workers" spark "${bootstrap[@]}" --out "$work/two"
check "... has the numbers of one machine" same "$work/alone/result.json" "$work/two/result.json"

submit() { # ARGUMENT...: what the script spark-submit of an installation starts
    env SPARK_HOME="$home" SPARK_LOCAL_IP=127.0.0.1 SPARK_SCALA_VERSION=2.13 "$JAVA_HOME/bin/java" -cp "$home/jars/*" \
        org.apache.spark.deploy.SparkSubmit --master "$master" --class dev.revealed.spark.SparkMain "${home%/*}/revealed-spark.jar" "$@"
}
check "spark-submit with one jar" submit "${bootstrap[@]}" --engine spark --out "$work/submitted"
check "... has the numbers of one machine" same "$work/alone/result.json" "$work/submitted/result.json"

spark "${bootstrap[@]}" --out "$work/lost" >"$work/out" 2>"$work/err" &
driver=$!
until_true 120 lines "$work/lost/checkpoint/bootstrap.jsonl" 100 || bad "no replication came back" "$work/err"
stop worker1
wait "$driver" && check "a worker killed in the middle of a bootstrap costs nothing" \
    same "$work/alone/result.json" "$work/lost/result.json" || bad "the driver failed with its worker" "$work/err"
worker worker1 "$work/worker1"

spark "${bootstrap[@]}" --out "$work/driver" >"$work/out" 2>"$work/err" &
driver=$!
until_true 120 lines "$work/driver/checkpoint/bootstrap.jsonl" 100 || bad "no replication came back" "$work/err"
kill -9 "$(pgrep -P "$driver")" # the program; $driver is the shell that waits for it
wait "$driver" 2>/dev/null
before=$(wc -l <"$work/driver/checkpoint/bootstrap.jsonl")
check "a driver is killed before it is done" test "$before" -lt 401
check "... and leaves no result" test ! -e "$work/driver/result.json"
check "... and goes on when it is started again" spark "${bootstrap[@]}" --out "$work/driver" --resume
check "... with what it had ($((before - 1)) of 400)" lines "$work/driver/checkpoint/bootstrap.jsonl" 401
check "... to the numbers of one machine" same "$work/alone/result.json" "$work/driver/result.json"

# Ten million rows in a Parquet file are counted piece by piece.
revealed simulate --model rust-bus --individuals 100000 --periods 100 --format parquet --out "$work/many" >/dev/null 2>"$work/err" ||
    bad "many buses" "$work/err"
rows=$work/many/panel.parquet
revealed estimate --model rust-bus --data "$rows" --out "$work/counted" >/dev/null 2>"$work/err" || bad "one machine counts" "$work/err"
check "ten million rows are counted by two workers" spark estimate --model rust-bus --data "$rows" --out "$work/counted-two"
check "... to the estimate of one machine" same "$work/counted/result.json" "$work/counted-two/result.json"
revealed estimate --model rust-bus --data "$rows" --se cluster --out "$work/scores" >/dev/null 2>"$work/err" || bad "one machine adds up" "$work/err"
check "scores of 100,000 individuals are added up by two workers" spark estimate --model rust-bus --data "$rows" --se cluster --out "$work/scores-two"
check "... to the standard errors of one machine" alike "$work/scores/result.json" "$work/scores-two/result.json"

spark estimate --model rust-bus --data "$rows" --out "$work/counted-lost" >"$work/out" 2>"$work/err" &
driver=$!
running() { # whether the newest application runs a task on a worker
    local app
    app=$(ls -td "$work/$1"/app-* | head -1)
    [ "$app" != "$2" ] && grep -q 'Running task' "$app"/*/stderr
}
until_true 120 running worker1 "$(ls -td "$work/worker1"/app-* | head -1)" || bad "no piece was given to the worker" "$work/err"
stop worker1
wait "$driver" && check "a worker killed in the middle of counting costs nothing" \
    same "$work/counted/result.json" "$work/counted-lost/result.json" || bad "the driver failed with its worker" "$work/err"
worker worker1 "$work/worker1"

# Types by EM, and temporal differences: executors keep their individuals from one iteration to the next.
two_types mixed 10000
types=(estimate --model rust-bus --data "$work/mixed" --types 2 --type-parameters RC)
revealed "${types[@]}" --out "$work/types" >/dev/null 2>"$work/err" || bad "types on one machine" "$work/err"
check "two types among 10,000 individuals, on two workers" spark "${types[@]}" --out "$work/types-two"
check "... with the estimates of one machine" close_enough "$work/types/result.json" "$work/types-two/result.json"
spark "${types[@]}" --out "$work/types-lost" >"$work/out" 2>"$work/err" &
driver=$!
iterating() { # APP: whether worker 1 is in the middle of EM for a newer application
    local app
    app=$(ls -td "$work/worker1"/app-* | head -1)
    [ "$app" != "$1" ] && grep -q 'in stage 40[.]' "$app"/*/stderr
}
until_true 120 iterating "$(ls -td "$work/worker1"/app-* | head -1)" || bad "no iteration was given to the worker" "$work/err"
stop worker1
wait "$driver" && check "a worker killed in the middle of EM costs nothing" \
    close_enough "$work/types/result.json" "$work/types-lost/result.json" || bad "the driver failed with its worker" "$work/err"
worker worker1 "$work/worker1"
differences=(estimate --model rust-bus --data "$work/mixed" --method td-ccp --form robust)
revealed "${differences[@]}" --out "$work/td" >/dev/null 2>"$work/err" || bad "td-ccp on one machine" "$work/err"
check "moments of temporal differences are added up by two workers" spark "${differences[@]}" --out "$work/td-two"
check "... to the estimates of one machine" close_enough "$work/td/result.json" "$work/td-two/result.json"

cp "$rows" "$work/damaged.parquet"
dd if=/dev/zero of="$work/damaged.parquet" bs=1000 seek=$(($(stat -c %s "$rows") / 2000)) count=20 conv=notrunc 2>/dev/null
if spark estimate --model rust-bus --data "$work/damaged.parquet" --out "$work/damaged" >"$work/out" 2>"$work/err"; then
    bad "a damaged Parquet file went unnoticed" "$work/err"
else
    check "a damaged Parquet file is named" grep -q 'revealed: .*damaged.parquet' "$work/err"
    check "... and leaves nothing" test ! -e "$work/damaged"
fi

mkdir "$work/small"
if mount -t tmpfs -o size=1m revealed-small "$work/small" 2>/dev/null; then
    stop worker2
    worker worker2 "$work/small"
    check "one worker's disk is full: the other does the work" spark "${bootstrap[@]}" --out "$work/full"
    check "... with the numbers of one machine" same "$work/alone/result.json" "$work/full/result.json"
    stop worker2
    umount "$work/small"
    worker worker2 "$work/worker2"
else
    skipped=$((skipped + 1))
    echo "  skipped a full disk on one worker: only root can make a small disk"
fi

if compgen -G '/usr/lib/*/libmujoco.so*' >/dev/null || [ -e "${REVEALED_MUJOCO:-/usr/local/lib/libmujoco.so}" ]; then
    runs=(expert --task hopper --seeds 1-4 --steps 4000 --random-steps 200 --hidden 32,32 --replay 1000
        --evaluate-every 700 --episodes 2 --checkpoint-every 400)
    revealed "${runs[@]}" --out "$work/runs" >/dev/null 2>"$work/err" || bad "runs on one machine" "$work/err"
    spark "${runs[@]}" --out "$work/runs-lost" >"$work/out" 2>"$work/err" &
    driver=$!
    until_true 120 test -e "$work/runs-lost/seed-2/checkpoint/800.json" || bad "no checkpoint came" "$work/err"
    stop worker1
    wait "$driver" || bad "the driver failed with its worker" "$work/err"
    worker worker1 "$work/worker1"
    identical() {
        local seed file
        for seed in 1 2 3 4; do
            for file in metrics.jsonl policy.safetensors best.safetensors curve.csv checkpoint/4000.json checkpoint/4000.safetensors; do
                cmp "$work/runs/seed-$seed/$file" "$work/runs-lost/seed-$seed/$file" || return 1
            done
        done
    }
    check "a worker killed in the middle of training runs: the same bytes" identical
else
    skipped=$((skipped + 1))
    echo "  skipped training runs: MuJoCo is not installed"
fi

echo "cluster: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
