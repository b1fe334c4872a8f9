import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type CsvError, parse } from 'csv-parse'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { showProgress } from '../progress.ts'
import type { BadRows } from './bad-rows.ts'

/** One row of a CSV file, by the column names of its header. */
export interface CsvRow<Column extends string> {
  readonly row: Readonly<Record<Column, string>>
  /** Number of the line that the row ends on, from 1. */
  readonly line: number
}

/** A file, and its columns. */
export interface CsvFile<Column extends string> {
  readonly file: string
  /** Names that the header must contain. */
  readonly columns: readonly Column[]
}

/**
 * Reads a CSV file with a header line row by row, and shows the progress in bytes. A row with another number of fields
 * than the header is reported and skipped; empty lines are ignored.
 *
 * @throws CliError when the file cannot be read, or its header lacks a column.
 */
export async function* csvRows<const Column extends string>(
  { file, columns }: CsvFile<Column>,
  terminal: Terminal,
  badRows: BadRows,
): AsyncGenerator<CsvRow<Column>> {
  const { size } = await stat(file).catch((error) => {
    throw cliError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  })
  const header = (names: readonly string[]) => {
    const missing = columns.filter((column) => !names.includes(column))
    if (missing.length > 0) throw cliError(`the header line lacks ${missing.join(', ')}`)
    return [...names]
  }
  const progress = showProgress(terminal.stderr, 'bytes', size)
  const input = createReadStream(file)
  const rows = input.pipe(
    parse({ bom: true, columns: header, info: true, skip_records_with_error: true, skip_empty_lines: true }),
  )
  input.on('error', (error) => rows.destroy(error))
  rows.on('skip', (error: CsvError) => badRows.report(Number(error.lines), 'must have as many fields as the header'))
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: CsvRow<Column>['row']
      info: { lines: number; bytes: number }
    }>) {
      yield { row: record, line: info.lines }
      progress.update(info.bytes)
    }
  } finally {
    input.destroy()
    progress.end()
  }
}
