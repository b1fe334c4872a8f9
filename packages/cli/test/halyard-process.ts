import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
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
 * Returns an empty storage in a folder, in the form that `--storage` takes. It is SQLite, which opens a hundred times as
 * fast as PGlite: commands find their data again in either. A test of `serve` proves that PGlite keeps its data too.
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
