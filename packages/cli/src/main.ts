#!/usr/bin/env node
import { runCli } from './run-cli.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal ends the process immediately.
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  })
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  // A getter, because a process may have no standard input: it is only accessed by commands that read it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
