import type { Terminal } from '../command.ts'
import { badRows } from './bad-rows.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import type { ImportTarget } from './import-target.ts'
import { finishedEvent } from './lead-time-importer.ts'

const columns = ['application', 'version', 'released_at_ms'] as const

type Row = CsvRow<(typeof columns)[number]>['row']

const batchSize = 2000

/**
 * Imports releases from a CSV file with a header line that names at least `application`, `version` and `released_at_ms`
 * (Unix ms). Each release is a finished deployment. Invalid rows are reported with their line numbers and skipped; a
 * release that was imported before is unchanged.
 */
export async function importDeployments(file: string, target: ImportTarget, terminal: Terminal): Promise<void> {
  const { api, projectKey, environmentKey } = target
  const invalidRows = badRows(terminal)
  const tally = { added: 0, known: 0 }
  let pending: ReturnType<typeof finishedEvent>[] = []
  const flush = async () => {
    if (pending.length === 0) return
    const events = pending
    pending = []
    const { added, known } = await api.createDeploymentEvents({ body: { projectKey, environmentKey, events } })
    tally.added += added
    tally.known += known
  }
  for await (const { row, line } of csvRows({ file, columns }, terminal, invalidRows)) {
    terminal.signal.throwIfAborted()
    const event = eventOf(row)
    if (typeof event === 'string') invalidRows.report(line, event)
    else pending.push(event)
    if (pending.length >= batchSize) await flush()
  }
  await flush()
  terminal.stdout.write(`${tally.added} added, ${tally.known} already present, ${invalidRows.count()} skipped\n`)
}

/** Returns the event of a row, or the reason why the row is invalid. */
function eventOf({ application, version, released_at_ms: releasedAt }: Row) {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(application)) return 'application must be a key'
  if (version === '' || version.length > 256) return 'version must have 1 to 256 characters'
  if (!/^\d{1,15}$/.test(releasedAt)) return 'released_at_ms must be Unix milliseconds'
  return finishedEvent({ application, version, deployedAt: Number(releasedAt) })
}
