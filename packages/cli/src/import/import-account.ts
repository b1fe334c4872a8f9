import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createEngine, type ImportResult } from '@halyard/core'
import { cliError, interruptedError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { openStorage } from '../open-storage.ts'
import { showProgress } from '../progress.ts'

export interface AccountImport {
  readonly file: string
  readonly storage: string
  readonly account: string
  /** Value of the administrator's token to use when the file contains none. */
  readonly token: string | undefined
}

/** Imports a back-up into an empty account: either all of it or nothing. An interrupted import stores nothing. */
export async function importAccount(
  { file, storage, account, token }: AccountImport,
  terminal: Terminal,
): Promise<void> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot read ${file}: ${error.code}`, error)
  })
  const { signal, stdout, stderr } = terminal
  const engine = createEngine({ storage: await openStorage(storage), account, clock: () => Date.now() })
  const progress = showProgress(stderr, 'bytes', size)
  async function* pieces() {
    let done = 0
    for await (const bytes of createReadStream(file, { signal }) as AsyncIterable<Uint8Array>) {
      yield bytes
      done += bytes.byteLength
      progress.update(done)
    }
  }
  try {
    await engine.migrate()
    const imported = await engine.import(pieces(), { signal, ...(token === undefined ? {} : { token }) })
    progress.end()
    stdout.write(`${report(imported).join('\n')}\n`)
  } catch (error) {
    throw signal.aborted ? interruptedError('nothing was imported') : error
  } finally {
    progress.end()
    await engine.close()
  }
}

function report({ records, secrets, token }: ImportResult): string[] {
  const { document, member, sample, task } = records
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const countLine = (label: string, counts: Readonly<Record<string, number>>) =>
    Object.keys(counts).length > 0 ? [`${label}: ${list(counts).join(', ')}`] : []
  return [
    `${document} documents, ${member} members, ${sample} samples, ${task} tasks`,
    ...countLine('created with new secrets', secrets.renewed),
    ...countLine('imported without their secrets', secrets.missing),
    ...countLine('not in the file', secrets.leftOut),
    ...(token === undefined ? [] : [`administrator's token, shown once: ${token}`]),
  ]
}
