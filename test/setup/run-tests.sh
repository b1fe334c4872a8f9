#!/bin/sh
# Checks the types and runs the tests beside each other: both use one processor for a part of their time.
# Each further checker of a project reads its types again, which takes twice the processor time.
npx tsc -b --checkers 1 &
types=$!
npx vitest run "$@"
tests=$?
wait "$types" && exit "$tests"
