#!/bin/sh
# Checks the types and runs the tests at the same time, because each of the two uses only one processor for a part of its
# time. Several checkers would read the types of a project several times, which takes twice the processor time.
npx tsc -b --checkers 1 &
types=$!
npx vitest run "$@"
tests=$?
wait "$types" && exit "$tests"
