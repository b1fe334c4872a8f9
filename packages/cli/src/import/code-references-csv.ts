import { stat } from 'node:fs/promises'
import path from 'node:path'
import { cliError, interruptedError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { badRows } from './bad-rows.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import { type CodeReference, referencesByFile, type Scan } from './scan.ts'

const columns = ['flagKey', 'projKey', 'path', 'startingLineNumber', 'lines', 'aliases', 'contentHash'] as const

type Row = CsvRow<(typeof columns)[number]>['row']

/**
 * Reads the CSV file that a scanner writes with its option for an output directory: one hunk per row, sorted by flag.
 * The file name `coderefs_<project>_<repository>_<commit>.csv` contains the repository and the commit, and the file's
 * modification time is the time of the scan. Invalid rows are reported with their line numbers and skipped.
 *
 * @throws CliError when the file cannot be read, or has another name or header.
 */
export async function readScannerCsv(file: string, terminal: Terminal): Promise<Scan> {
  const { mtimeMs } = await stat(file).catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
  const invalidRows = badRows(terminal)
  const references: CodeReference[] = []
  const projects = new Set<string>()
  for await (const { row, line } of csvRows({ file, columns }, terminal, invalidRows)) {
    if (terminal.signal.aborted) throw interruptedError('nothing was changed')
    const reference = referenceOf(row)
    if (typeof reference === 'string') invalidRows.report(line, reference)
    else references.push(reference)
    projects.add(row.projKey)
  }
  return {
    ...parseFileName(path.basename(file), projects),
    syncTime: Math.trunc(mtimeMs),
    references: referencesByFile(references),
    skipped: invalidRows.count(),
  }
}

/** Returns the reference in a row, or the reason why the row is invalid. */
function referenceOf(row: Row): CodeReference | string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/.test(row.flagKey)) return 'flagKey must be a key'
  if (row.path === '') return 'path must not be empty'
  if (!/^\d{1,9}$/.test(row.startingLineNumber)) return 'startingLineNumber must be an integer from 0 to 999999999'
  const aliases = row.aliases.split(' ').filter((alias) => alias !== '')
  return {
    path: row.path,
    flagKey: row.flagKey,
    startingLineNumber: Number(row.startingLineNumber),
    ...(row.lines === '' ? {} : { lines: row.lines }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(row.contentHash === '' ? {} : { contentHash: row.contentHash }),
  }
}

/** Scanners of several projects leave the project in the file name empty. */
function parseFileName(name: string, projects: ReadonlySet<string>): Pick<Scan, 'repository' | 'head'> {
  const [, middle, head] = /^coderefs_(.+)_([^_]+)\.csv$/.exec(name) ?? []
  const project = ['', ...projects].find((key) => middle?.startsWith(`${key}_`))
  const repository = middle?.slice((project?.length ?? -1) + 1)
  if (!repository || !head) {
    throw cliError(
      `${name} does not contain the repository: the file must be named coderefs_<project>_<repository>_<commit>.csv`,
    )
  }
  return { repository, head }
}
