import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createEngine, type Engine } from '@halyard/core'
import { cliError, interruptedError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openStorage } from './open-storage.ts'
import { showCount } from './progress.ts'

export interface AccountExport {
  readonly storage: string
  readonly account: string
  readonly secrets: boolean
  /** Path of the file to write; undefined for standard output. */
  readonly out: string | undefined
}

/** Writes a back-up. A file gets its final name only when it is complete. */
export async function exportAccount(
  { storage, account, secrets, out }: AccountExport,
  terminal: Terminal,
): Promise<void> {
  const engine = createEngine({ storage: await openStorage(storage), account, clock: () => Date.now() })
  const count = showCount(terminal.stderr, 'records')
  const { signal } = terminal
  const pieces = engine.export({ secrets, signal, progress: count.update })
  try {
    if (out === undefined) await pipeline(pieces, terminal.stdout, { signal, end: false })
    else await writeFile(out, pieces, terminal)
  } catch (error) {
    throw signal.aborted ? interruptedError('the partial export was deleted') : error
  } finally {
    count.end()
    await engine.close()
  }
}

async function writeFile(out: string, pieces: ReturnType<Engine['export']>, { signal, stderr }: Terminal) {
  const draft = `${out}.${process.pid}.part`
  // Readable only by its owner: the file may contain secrets, and always contains the names of members.
  const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot write ${draft}: ${error.code}`, error)
  })
  try {
    await pipeline(pieces, createWriteStream(draft, { fd: handle, flush: true }), { signal })
    await rename(draft, out)
    stderr.write(`wrote ${out}\n`)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
