#!/usr/bin/env bash
# One lease: check the GPU code, train, evaluate. Everything to keep goes to $OUT. Usage: device.sh MINUTES [train.py options]
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONUNBUFFERED=1
minutes=$1
shift
{
  python3 check_gpu.py
  python3 train.py --out "$OUT" --minutes "$minutes" "$@"
  python3 evaluate.py "$OUT" --out "$OUT/evaluation.json"
} 2>&1 | tee "$OUT/log"
