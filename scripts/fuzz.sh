#!/usr/bin/env bash
# Usage: scripts/fuzz.sh [SECONDS [TARGET ...]]
#
# Builds the libFuzzer targets of test/fuzz in build/fuzz and runs each for SECONDS (15) on its seeds, or only those that are
# named. Prints the inputs of each target and in all. An input that was found stays in build/fuzz/found. Exit code 1: something
# was found; 2: Clang or its runtime is missing. JOBS: parallel compilers and targets.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
seconds=${1:-15}
jobs=${JOBS:-$(nproc)}
[ $# -eq 0 ] || shift
build=$root/build/fuzz

compiler=
for candidate in clang++-14 clang++; do
    if command -v "$candidate" >/dev/null && printf \
        'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
        "$candidate" -x c++ - -fsanitize=fuzzer,address -o /dev/null 2>/dev/null; then
        compiler=$candidate
        break
    fi
done
if [ -z "$compiler" ]; then
    echo "There is no clang++ with libFuzzer." >&2
    exit 2
fi

launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S "$root" -B "$build" "${launcher[@]}" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DMULTIMATCH_BUILD_FUZZERS=ON -DMULTIMATCH_BUILD_TESTS=ON \
    -DMULTIMATCH_BUILD_BENCHMARKS=OFF -DMULTIMATCH_BUILD_PYTHON=OFF >/dev/null
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets <"$build/fuzz_targets.txt" # those that this system can build
fi
cmake --build "$build" --parallel "$jobs" --target "${targets[@]/#/fuzz_}" >"$build/build.log" ||
    { tail -30 "$build/build.log" >&2; exit 1; }

# OpenCV is not instrumented, so the checks of containers that it changes would be wrong.
export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1
mkdir -p "$build/found"

# Leaves a log and the exit code.
run() {
    local corpus=$build/corpus/$1 seeds=$root/test/fuzz/seeds/$1 code=0
    mkdir -p "$corpus"
    local folders=("$corpus")
    [ ! -d "$seeds" ] || folders+=("$seeds")
    "$build/bin/fuzz_$1" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -artifact_prefix="$build/found/$1-" "${folders[@]}" >"$build/$1.log" 2>&1 || code=$?
    echo $code >"$build/$1.code"
}

for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    run "$target" &
done
wait

total=0
status=0
for target in "${targets[@]}"; do
    log=$build/$target.log
    result="nothing found"
    [ "$(cat "$build/$target.code")" = 0 ] || { result="FOUND, see $log"; status=1; }
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    printf '%-18s %10d inputs  %s\n' "$target" "${inputs:-0}" "$result"
    total=$((total + ${inputs:-0}))
done
printf '%-18s %10d inputs\n' total "$total"
exit $status
