# shellcheck shell=bash
# What the scripts share; sourced, never run. Leaves the caller in whatever folder it was started in.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# Sorting and messages as this code expects them; scripts/run gives countpm its caller's locale back.
# shellcheck disable=SC2034  # scripts/run reads it
caller_locale=${LC_ALL-unset}
export LC_ALL=C

# Messages go to standard error: what a command prints on standard output is its result alone.
say() { printf 'countpm: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }
bad_usage() { say "$@"; exit 2; }

# usage FILE: the comment at the head of a script, as its --help.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' "$1"; }

# has NAME: is there such a program?
has() { command -v "$1" >/dev/null 2>&1; }

# have_nvcc: named by CUDACXX, on the PATH, or where NVIDIA puts it?
have_nvcc() { has "${CUDACXX:-nvcc}" || has nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; }

# quietly LOG COMMAND...: run with the output in LOG, and show LOG's end only when the command fails.
quietly() {
  local log=$1 code=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || code=$?
  if ((code != 0)); then
    tail -n 60 "$log" >&2
    say "failed with status $code: $* (all its output: $log)"
  fi
  return "$code"
}

# python_answers PYTHON EXPRESSION: whether it runs, has its headers and can make environments, and the expression is true.
python_answers() {
  "$1" -c "import os, sys, sysconfig, venv
sys.exit(not (os.path.exists(sysconfig.get_path('include') + '/Python.h') and ($2)))" >/dev/null 2>&1
}

# configure PRESET [CMAKE OPTIONS...]: through ccache where it is installed, unless the environment names a launcher.
configure() {
  local preset=$1
  shift
  if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]] && has ccache; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  (cd "$top" && quietly "build/$preset.configure.log" cmake --preset "$preset" "$@")
}

# landed_commit: the last landed commit: where this branch leaves the default branch of the remote `origin`, or `main` where there
# is no such remote. Fails where neither is known, as in a clone of the last commit alone.
landed_commit() {
  local name
  for name in "$(git -C "$top" symbolic-ref --quiet refs/remotes/origin/HEAD 2>/dev/null || true)" refs/remotes/origin/main \
    refs/remotes/origin/master refs/heads/main; do
    if [[ -n $name ]] && git -C "$top" merge-base HEAD "$name" 2>/dev/null; then return; fi
  done
  return 1
}

# sources: our C++ and CUDA files, one a line, relative to the top.
sources() {
  (cd "$top" && find graph matching kernels src apps tests bench python \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inc' \) -type f -print 2>/dev/null | sort) || true
}

# enter_gpu_package FOLDER: sets `package` to the folder that scripts/gpu-package made, which it makes first where FOLDER is
# the project's scripts/, and `in_project`.
enter_gpu_package() {
  package=$1 in_project=no
  if [[ ! -d $package/bin ]]; then
    # shellcheck disable=SC2034  # gpu-bench reads it
    in_project=yes
    package=$top/build/gpu-package
    "$top/scripts/gpu-package" "$package"
  fi
  export LD_LIBRARY_PATH=$package/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# describe_gpu_machine: date, commit, GPUs, driver and clocks, as Markdown.
describe_gpu_machine() {
  echo "Date: $(date -u +%FT%TZ). Commit: $(paste -sd' ' "$package/commit"). Host: $(nproc) cores, $(uname -sr)."
  echo
  if has nvidia-smi; then
    nvidia-smi --query-gpu=index,name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit --format=csv
  else
    echo "nvidia-smi is not there."
  fi
  echo
}
