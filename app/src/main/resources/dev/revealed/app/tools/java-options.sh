# shellcheck shell=sh disable=SC2034
# Options of Java by command. ./revealed sources this, and it becomes a part of the launcher in a bundle.

# Networks and road networks run on the Vector API, of which Java says at every start that it is incubating: so only where they are used.
vector=
case "${1:-}" in expert | worldmodel | imitate | reward | reward-intervals | evaluate | record | bench | gpu) vector='--add-modules jdk.incubator.vector' ;; esac
case "${1:-} ${2:-}" in 'reproduce highdim' | 'reproduce mountain-car-deep' | 'reproduce routes' | 'reproduce table'? | 'reproduce offline' | 'reproduce reward-quality') vector='--add-modules jdk.incubator.vector' ;; esac

# Throughput matters and pauses do not, hence the parallel collector. The page waits most of the time and should be small; what
# it starts, it starts through the launcher.
collector=-XX:+UseParallelGC
case "${1:-}" in studio | play) collector='-XX:+UseSerialGC -Xms8m -Xmx1g -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:TrimNativeHeapInterval=1000 -XX:CompileThresholdScaling=4' ;; esac
