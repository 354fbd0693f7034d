#!/usr/bin/env bash
# What action.yml runs: the corpus against an adapter, with its reports in one folder. Inputs come as variables, and
# arguments stay an array: nothing that a workflow passes is ever evaluated.
set -uo pipefail

program=${CHATSTATE_PROGRAM:-chatstate}
reports=${CHATSTATE_REPORTS:-chatstate-reports}

# One word on each line, so that a word may hold spaces; empty lines are none.
words() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [ -z "$line" ] || printf '%s\0' "$line"
  done <<<"$1"
}

mapfile -d '' -t adapter < <(words "${CHATSTATE_ADAPTER:-}")
mapfile -d '' -t further < <(words "${CHATSTATE_ARGUMENTS:-}")

if [ ${#adapter[@]} -eq 0 ]; then
  echo "::error title=chatstate::the input \`adapter\` is empty; give the command that starts it, one word on each line"
  exit 2
fi
mkdir -p "$reports" || exit 2

arguments=(test
  --report github
  --report "jsonl=$reports/run.jsonl"
  --report "junit=$reports/junit.xml"
  --report "sarif=$reports/run.sarif"
  --report "html=$reports/report.html"
  --report "badge=$reports/badge.json")
[ -z "${CHATSTATE_EXPECT:-}" ] || arguments+=(--expect "$CHATSTATE_EXPECT")
[ -z "${CHATSTATE_SHARD:-}" ] || arguments+=(--shard "$CHATSTATE_SHARD")
arguments+=("${further[@]}" -- "${adapter[@]}")

"$program" "${arguments[@]}"
code=$?

case $code in
  0) outcome=as-expected ;;
  1) outcome=unexpected ;;
  3) outcome=incomplete ;;
  4) outcome=stale ;;
  5) outcome=not-started ;;
  *) outcome=error ;;
esac
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    echo "outcome=$outcome"
    echo "exit-code=$code"
    echo "reports=$reports"
    echo "report=$reports/run.jsonl"
    echo "page=$reports/report.html"
    echo "badge=$reports/badge.json"
  } >>"$GITHUB_OUTPUT"
fi

# A list that is out of date is an error of its own, which a workflow may forgive.
if [ "$code" -eq 4 ] && [ "${CHATSTATE_FAIL_ON_STALE:-true}" = false ]; then
  exit 0
fi
exit "$code"
