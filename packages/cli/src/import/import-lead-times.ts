import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type CsvError, parse } from 'csv-parse'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { showProgress } from '../progress.ts'
import { badRows } from './bad-rows.ts'
import type { ImportTarget } from './import-target.ts'
import { leadTimeImporter, type ReleasedChange, tellTally } from './lead-time-importer.ts'

const columns = ['application', 'version', 'commit', 'authored_at_ms', 'committed_at_ms', 'released_at_ms'] as const

type Row = Readonly<Record<(typeof columns)[number], string | undefined>>

/**
 * Imports lead times from a CSV file with a header line that names at least `application`, `version`, `commit`,
 * `authored_at_ms`, `committed_at_ms` and `released_at_ms` (Unix ms). A bad row is told with its line and skipped.
 */
export async function importLeadTimes(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const { size } = await stat(file).catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
  const bad = badRows(terminal)
  const importer = leadTimeImporter(target)
  const progress = showProgress(terminal.stderr, 'bytes', size)
  const input = createReadStream(file)
  const rows = input.pipe(
    parse({ bom: true, columns: checkedHeader, info: true, skip_records_with_error: true, skip_empty_lines: true }),
  )
  input.on('error', (error) => rows.destroy(error))
  rows.on('skip', (error: CsvError) => bad.tell(Number(error.lines), 'has another number of fields than the header'))
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Row
      info: { lines: number; bytes: number }
    }>) {
      terminal.signal.throwIfAborted()
      const change = changeOf(record)
      if (typeof change === 'string') bad.tell(info.lines, change)
      else await importer.add(change)
      progress.at(info.bytes)
    }
    await importer.finish()
  } finally {
    progress.end()
  }
  terminal.stdout.write(`${tellTally(importer.tally, bad.count())}\n`)
}

function checkedHeader(header: readonly string[]): string[] {
  const missing = columns.filter((column) => !header.includes(column))
  if (missing.length > 0) throw cliError(`the header line does not name ${missing.join(', ')}`)
  return [...header]
}

/** The change of a row, or what is wrong with it. */
function changeOf(row: Row): ReleasedChange | string {
  const { application = '', version = '', commit = '' } = row
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(application)) return 'application must be a key'
  if (version === '' || commit === '') return 'version and commit must not be empty'
  for (const column of ['authored_at_ms', 'committed_at_ms', 'released_at_ms'] as const) {
    if (!/^\d{1,15}$/.test(row[column] ?? '')) return `${column} must be Unix milliseconds`
  }
  return {
    application,
    version,
    externalId: `${application}:${commit}`,
    startedAt: Number(row.authored_at_ms),
    mergedAt: Number(row.committed_at_ms),
    deployedAt: Number(row.released_at_ms),
  }
}
