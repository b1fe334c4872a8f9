import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type CsvError, parse } from 'csv-parse'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { showProgress } from '../progress.ts'
import { badRows } from './bad-rows.ts'
import type { ImportTarget } from './import-target.ts'
import { finishedEvent } from './lead-time-importer.ts'

const columns = ['application', 'version', 'released_at_ms'] as const

type Row = Readonly<Record<(typeof columns)[number], string | undefined>>

const batchSize = 2000

/**
 * Imports releases from a CSV file with a header line that names at least `application`, `version` and
 * `released_at_ms` (Unix ms): each is a deployment that finished. A bad row is told with its line and skipped; a release
 * that was imported before stays as it is.
 */
export async function importDeployments(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const { size } = await stat(file).catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
  const { api, projectKey, environmentKey } = target
  const bad = badRows(terminal)
  const tally = { added: 0, known: 0 }
  const progress = showProgress(terminal.stderr, 'bytes', size)
  const input = createReadStream(file)
  const rows = input.pipe(
    parse({ bom: true, columns: header, info: true, skip_records_with_error: true, skip_empty_lines: true }),
  )
  input.on('error', (error) => rows.destroy(error))
  rows.on('skip', (error: CsvError) => bad.tell(Number(error.lines), 'has another number of fields than the header'))
  let waiting: ReturnType<typeof finishedEvent>[] = []
  const flush = async () => {
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    const { added, known } = await api.createDeploymentEvents({ body: { projectKey, environmentKey, events } })
    tally.added += added
    tally.known += known
  }
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Row
      info: { lines: number; bytes: number }
    }>) {
      terminal.signal.throwIfAborted()
      const event = eventOf(record)
      if (typeof event === 'string') bad.tell(info.lines, event)
      else waiting.push(event)
      if (waiting.length >= batchSize) await flush()
      progress.at(info.bytes)
    }
    await flush()
  } finally {
    progress.end()
  }
  terminal.stdout.write(`${tally.added} added, ${tally.known} known before, ${bad.count()} skipped\n`)
}

function header(names: readonly string[]): string[] {
  const missing = columns.filter((column) => !names.includes(column))
  if (missing.length > 0) throw cliError(`the header line does not name ${missing.join(', ')}`)
  return [...names]
}

/** The event of a row, or what is wrong with it. */
function eventOf({ application = '', version = '', released_at_ms: at = '' }: Row) {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(application)) return 'application must be a key'
  if (version === '' || version.length > 256) return 'version must have 1 to 256 characters'
  if (!/^\d{1,15}$/.test(at)) return 'released_at_ms must be Unix milliseconds'
  return finishedEvent({ application, version, deployedAt: Number(at) })
}
