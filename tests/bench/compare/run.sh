#!/usr/bin/env bash
# The same crowds by JuPedSim, by RVO2 and by this program, in one run: agent updates per CPU second. Usage: run.sh [PROGRAM]
# PROGRAM is a release build: cargo build --release --no-default-features --features script
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-${CARGO_TARGET_DIR:-$here/../../../target}/release/swarmyard}
[ -x "$program" ] || { echo "no program $program; build it with --release" >&2; exit 2; }
venv=${COMPARE_VENV:-$(mktemp -d)/venv}
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: jupedsim==1.4.2
  # Its dependency is a simulator for robots that is not needed here.
  "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --no-deps pyrvo==0.4.3
fi
export OMP_NUM_THREADS=1
exec "$venv/bin/python" "$here/compare.py" "$program"
