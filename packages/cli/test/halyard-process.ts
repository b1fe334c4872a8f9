import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { halyardFile } from '../../../test/processes/served-engine.ts'
import { type WatchedProcess, watchProcess } from '../../../test/processes/watched-process.ts'
import { bundledProgram } from '../../../test/setup/bundled-program.ts'

export type HalyardProcess = Omit<WatchedProcess, 'tell'>

/** Starts the command as a process of its own, which ends with the test at the latest. */
export function halyard(args: readonly string[], env: Record<string, string> = {}): HalyardProcess {
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
 * Returns a storage on an initialized data directory in a folder, in the form that `--storage` takes. Initializing one
 * takes PGlite five seconds; a test of `serve` that keeps its data proves that `halyard` does so itself.
 */
export function emptyStorage(folder: string, name = 'data'): string {
  const directory = path.join(folder, name)
  cpSync(inject('pgliteSnapshot'), directory, { recursive: true })
  return `pglite:${directory}`
}

/** Returns a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
