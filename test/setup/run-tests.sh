#!/bin/sh
# Checks the types and runs the tests beside each other: both use one processor for a part of their time.
npx tsc -b &
types=$!
npx vitest run "$@"
tests=$?
wait "$types" && exit "$tests"
