#!/usr/bin/env node
import { runCli } from './run-cli.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Whoever asks twice means it.
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  })
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  // Looked at only where a command reads it: a process may have none.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
