#!/usr/bin/env bash
# Run tests, sanitizers and benchmarks on a machine with a GPU, part by part; logs and rows go to the folder OUT.
#
#     bash benchmarks/device.sh OUT tests programs sanitizers rows beside many graph500 transforms beyond
#
# Run the benchmarks with nothing else on the machine. Environment variables and their defaults: THREADS of SuiteSparse
# (16), of which the tests and the random programs leave one core alone, SECONDS_A_PART, the time limit of a command
# (240), SECTIONS and TOOLS of the sanitizers (all), SEED and STATEMENTS of the random programs (1, as many as time allows).
set -uo pipefail
cd "$(dirname "$0")/.."
OUT=$1
shift
THREADS=${THREADS:-16} LIMIT=${SECONDS_A_PART:-240}
export PYTHONPATH=".${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
mkdir -p "$OUT"

measured() { timeout "$LIMIT" python3 "$@" 2>&1 | cut -c1-150; }
run() { measured benchmarks/run.py --out "$OUT/cuda.jsonl" --threads "$THREADS" "$@"; }

tests() {
  timeout -s INT "$LIMIT" python3 -m pytest tests/cuda tests/native/cuda \
    tests/comparison/test_cuda.py tests/transform tests/star tests/graph500 -n "$((THREADS - 1))" \
    -rf --tb=short --timeout 60 > "$OUT/tests.log" 2>&1
  grep -E '^(FAILED|ERROR|E  )' "$OUT/tests.log" | cut -c1-170
  tail -n 1 "$OUT/tests.log"
}

sections=(products slices mxm elementwise structure many star transforms variants:bfs variants:sssp variants:forest
  natives:bfs natives:sssp,sssp_distances natives:minimum_spanning_forest natives:triangle_count,pagerank
  natives:connected_components natives:betweenness_centrality natives:transitive_closure
  algebra:bfs,bfs_levels,sssp algebra:connected_components,pagerank,triangle_count
  algebra:minimum_spanning_forest algebra:transitive_closure,betweenness_centrality)

# Run a section without a tool, which compiles its kernels, then under every tool of compute-sanitizer. Sections run at
# most 12 at once: they share the device. racecheck skips CuPy's own kernels; it does not end on large clusters.
check_section() {
  python3 -m tests.cuda.sanitized "$1" > "$OUT/plain.$1" 2>&1 || echo "$1 failed: $(tail -n 1 "$OUT/plain.$1")"
  for tool in ${TOOLS:-memcheck racecheck synccheck initcheck}; do
    options=() section=("$1")
    [ "$tool" = racecheck ] && options=(--kernel-name-exclude kernel_substring=cupy_) section+=(--clusters=4)
    timeout "$LIMIT" compute-sanitizer --tool "$tool" "${options[@]}" python3 -m tests.cuda.sanitized "${section[@]}" \
      > "$OUT/$tool.$1" 2>&1
    echo "$tool $1: exit $?, $(grep -h SUMMARY "$OUT/$tool.$1" | cut -c11-90)"
  done
}
sanitizers() {
  export OUT LIMIT
  export -f check_section
  printf '%s\n' ${SECTIONS:-${sections[@]}} |
    xargs -P 12 -I {} bash -c 'check_section {}'
  grep -h -A 1 'Race reported\|Invalid __\|Uninitialized\|Barrier error' "$OUT"/*check.* | grep -v '^--' | sort | uniq -c
  cat "$OUT"/*check.* > "$OUT/sanitizers.log"
  rm "$OUT"/*check.* "$OUT"/plain.*
}

# Random programs, in processes that share the device through the multi-process service. Without it they take turns on the
# device, and 15 processes run a third of the statements in the same time (results/cuda-tests.txt).
programs() {
  folder=$(mktemp -d)
  export CUDA_MPS_PIPE_DIRECTORY=$folder CUDA_MPS_LOG_DIRECTORY=$folder
  nvidia-cuda-mps-control -d || echo "no multi-process service: the processes take turns"
  timeout "$((LIMIT + 60))" python3 -m tests.cuda.random_programs --seconds "$LIMIT" ${STATEMENTS:+--statements $STATEMENTS} \
    --processes "$((THREADS > 1 ? THREADS - 1 : 1))" --seed "${SEED:-1}" --out "$OUT/programs.json" 2>&1 | cut -c1-250 | tail -n 30
  echo quit | nvidia-cuda-mps-control
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
}

rows() {
  both=(--implementations graphla-cuda,native-cuda --budget 3)
  kernels=bfs,sssp_distances,connected_components,pagerank_gap,sssp,minimum_spanning_forest
  run --graphs graph500-24 --algorithms "$kernels,triangle_count" "${both[@]}" --trials 7
  run --graphs graph500-24-sorted --algorithms "$kernels" "${both[@]}" --trials 7
  run --graphs digraph5000-2,digraph5000-8,digraph16384-1.5,dag16384-16,digraph32768-1.5,dag32768-16 --algorithms transitive_closure "${both[@]}" --trials 5
  run --graphs ssca2-24 --algorithms minimum_spanning_forest "${both[@]}" --trials 5
  run --graphs grid4096,urand22 --algorithms bfs,sssp_distances,connected_components "${both[@]}" --trials 5
}

# SuiteSparse on the CPU and the engine on the device, in one run.
beside() {
  all=(--implementations graphla,graphla-cuda,native-cuda --budget 6 --trials 3)
  measured benchmarks/products.py --scale 24 --threads "$THREADS" --out "$OUT/cuda.jsonl"
  run --graphs graph500-24 --algorithms bfs,connected_components,pagerank_gap,sssp_distances "${all[@]}"
  run --graphs graph500-22 --algorithms triangle_count "${all[@]}"
  run --graphs digraph16384-1.5 --algorithms transitive_closure "${all[@]}"
  run --graphs urand22,grid4096 --algorithms bfs,connected_components,sssp_distances "${all[@]}"
  run --graphs graph500-24 --algorithms minimum_spanning_forest "${all[@]}" --trials 1
}

many() { measured benchmarks/many_sources.py --graph graph500-24 --threads "$THREADS" --trials 3 --out "$OUT/cuda.jsonl"; }

block() { measured -m graphla.cli graph500 --engine cuda --jsonl "$OUT/graph500.jsonl" "$@"; }
graph500() {
  block --scale 24 --kernel native --algorithms bfs,sssp --energy 10
  block --scale 25 --kernel native --energy 10
  block --scale 26 --kernel native --energy 10
  block --scale 24 --algorithms bfs,sssp
}

transforms() { measured benchmarks/transforms.py --engine cuda --scale 22 --out "$OUT/transforms.jsonl"; }

beyond() { measured benchmarks/beyond_memory.py --scale 24 --out "$OUT/beyond_memory.jsonl"; }

# Several GPUs of one machine beside one of them; DEVICES of them (2).
several() {
  measured benchmarks/devices.py --devices "${DEVICES:-2}" --scales 24 26 28 --max-single 26 --max-weighted 24 \
    --check-seconds 60 --seconds "$((LIMIT - 20))" --trials 3 --out "$OUT/devices.jsonl"
}

for part in "$@"; do
  echo "== $part $(date +%T)"
  "$part"
done
