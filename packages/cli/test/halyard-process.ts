import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { halyardFile } from '../../../test/processes/served-engine.ts'
import { type WatchedProcess, watchOutput, watchProcess } from '../../../test/processes/watched-process.ts'
import { bundledProgram } from '../../../test/setup/bundled-program.ts'
import { runCli } from '../src/run-cli.ts'

/** A command that runs, whether as a process or in the process of the tests. */
export type RunningCommand = Pick<WatchedProcess, 'out' | 'err' | 'printed' | 'signal' | 'ended'>

type Environment = Readonly<Record<string, string>>

/** Starts the command as a process of its own, which ends with the test at the latest. */
export function halyardProcess(args: readonly string[], env: Environment = {}): RunningCommand {
  const { file, nodeOptions } = bundledProgram(halyardFile)
  const started = watchProcess('halyard', [...nodeOptions, file, ...args], {
    env: { HALYARD_LOG: 'json', ...env },
    input: false,
  })
  onTestFinished(async () => {
    started.signal('SIGKILL')
    await started.ended
  })
  return started
}

/**
 * Starts the command in the process of the tests, because starting another process takes longer. Each signal interrupts
 * the command, as Ctrl+C does. The command ends with the test at the latest.
 */
export function halyard(args: readonly string[], env: Environment = {}): RunningCommand {
  const interrupted = new AbortController()
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const { PATH = '', HOME = '' } = process.env
  const terminal = {
    env: { PATH, HOME, HALYARD_LOG: 'json', ...env },
    stdin: Readable.from([]),
    stdout,
    stderr,
    signal: interrupted.signal,
  }
  const ended = runCli([...args], terminal).finally(() => {
    stdout.end()
    stderr.end()
  })
  onTestFinished(async () => {
    interrupted.abort()
    await ended
  })
  return { ...watchOutput('halyard', stdout, stderr, ended), signal: () => interrupted.abort() }
}

/**
 * Returns an empty storage in a folder, in the form that `--storage` takes. It is SQLite, which opens a hundred times
 * as fast as PGlite. Both keep the data between commands; a test of `serve` proves this for PGlite.
 */
export function emptyStorage(folder: string, name = 'data'): string {
  return `sqlite:${path.join(folder, `${name}.db`)}`
}

/** Returns a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
