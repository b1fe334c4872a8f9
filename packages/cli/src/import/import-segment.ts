import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { ApiError } from '@halyard/core'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { type Progress, showProgress } from '../progress.ts'
import type { ImportTarget } from './import-target.ts'

export interface SegmentImport {
  readonly file: string
  readonly segmentKey: string
  /** `merge` or `replace`. */
  readonly mode: string
}

/**
 * Imports the keys of a big segment from a CSV file, one key per line, as one upload: an interrupted import changes
 * nothing. The segment is created when it does not exist.
 */
export async function importSegment(
  { file, segmentKey, mode }: SegmentImport,
  { api, projectKey, environmentKey }: ImportTarget,
  terminal: Terminal,
): Promise<void> {
  if (mode !== 'merge' && mode !== 'replace') throw cliError(`--mode must be merge or replace, not "${mode}"`)
  const { size } = await stat(file).catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
  const environment = { projectKey, environmentKey }
  await api.getSegment({ ...environment, segmentKey }).catch((error: ApiError) => {
    if (error.code !== 'not_found') throw error
    return api.createSegment({ ...environment, body: { key: segmentKey, name: segmentKey, unbounded: true } })
  })
  const progress = showProgress(terminal.stderr, 'bytes', size)
  try {
    const body = { file: readFileChunks(file, progress, terminal.signal), filename: path.basename(file), mode } as const
    const { keyCount } = await api.createBigSegmentImport({ ...environment, segmentKey, body })
    terminal.stdout.write(
      `${segmentKey}: ${keyCount} keys ${mode === 'replace' ? 'replaced the previous keys' : 'merged'}\n`,
    )
  } catch (error) {
    terminal.signal.throwIfAborted()
    throw toLineErrors(error)
  } finally {
    progress.end()
  }
}

/** Yields the file as fast as the request sends it, until the user interrupts the command. */
async function* readFileChunks(file: string, progress: Progress, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const bytes of createReadStream(file, { signal }) as AsyncIterable<Uint8Array>) {
    yield bytes
    done += bytes.byteLength
    progress.update(done)
  }
}

/**
 * Converts an error about invalid lines of the file to an error of the command that names these lines. Returns any
 * other error unchanged.
 */
function toLineErrors(error: unknown): unknown {
  const { errors } = error as Partial<ApiError>
  if (!errors) return error
  const lines = errors.map(({ attribute, reason }) => `${attribute.replace('file.', 'line ')}: ${reason}`)
  return cliError(lines.join('\n'), error)
}
