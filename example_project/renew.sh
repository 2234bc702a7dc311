#!/usr/bin/env bash
# Store anew what each configuration reaches, after a change of clips, recordings or verifier:
#   example_project/renew.sh [--asr-update-lower]
# Without the option a value that became worse keeps its threshold, and the run fails.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-python}
for provider in recorded pocketsphinx myasr; do
    "$python" -m pytest --asr-provider="$provider" --asr-cache-mode=off -n 2 -q \
        "${1:---asr-update}"
done
"$python" degrade.py
