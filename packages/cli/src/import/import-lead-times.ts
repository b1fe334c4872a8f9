import type { Terminal } from '../command.ts'
import { badRows } from './bad-rows.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import type { ImportTarget } from './import-target.ts'
import { leadTimeImporter, type ReleasedChange, tallyText } from './lead-time-importer.ts'

const columns = ['application', 'version', 'commit', 'authored_at_ms', 'committed_at_ms', 'released_at_ms'] as const

type Row = CsvRow<(typeof columns)[number]>['row']

/**
 * Imports lead times from a CSV file with a header line that names at least `application`, `version`, `commit`,
 * `authored_at_ms`, `committed_at_ms` and `released_at_ms` (Unix ms). Invalid rows are reported with their line numbers
 * and skipped.
 */
export async function importLeadTimes(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const invalidRows = badRows(terminal)
  const importer = leadTimeImporter(target)
  for await (const { row, line } of csvRows({ file, columns }, terminal, invalidRows)) {
    terminal.signal.throwIfAborted()
    const change = changeOf(row)
    if (typeof change === 'string') invalidRows.report(line, change)
    else await importer.add(change)
  }
  await importer.finish()
  terminal.stdout.write(`${tallyText(importer.tally, invalidRows.count())}\n`)
}

/** Returns the change of a row, or the reason why the row is invalid. */
function changeOf(row: Row): ReleasedChange | string {
  const { application, version, commit } = row
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(application)) return 'application must be a key'
  if (version === '' || commit === '') return 'version and commit must not be empty'
  for (const column of ['authored_at_ms', 'committed_at_ms', 'released_at_ms'] as const) {
    if (!/^\d{1,15}$/.test(row[column])) return `${column} must be Unix milliseconds`
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
