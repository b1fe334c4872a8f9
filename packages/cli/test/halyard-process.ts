import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { halyardFile } from '../../../test/processes/served-engine.ts'
import { type WatchedProcess, watchProcess } from '../../../test/processes/watched-process.ts'
import { bundledProgram } from '../../../test/setup/bundled-program.ts'
import { pgliteTemplate } from '../../../test/setup/pglite-template.ts'

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
 * A storage on an empty data directory in a folder, as `--storage` takes it. Making one takes PGlite five seconds: that
 * `halyard` does so itself is seen where `serve` keeps the data.
 */
export function emptyStorage(folder: string, name = 'data'): string {
  const directory = path.join(folder, name)
  cpSync(pgliteTemplate.directory, directory, { recursive: true })
  return `pglite:${directory}`
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
