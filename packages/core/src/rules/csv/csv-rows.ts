import { type Scan, scanRow } from './scan-row.ts'

/** A row of a CSV text, or what was wrong with it. `line` is the line on which it begins, the first is 1. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string }

export interface CsvOptions {
  /** How many characters a row may have, so that a quote left open does not swallow the rest. Default 1,000,000. */
  readonly maxRowLength?: number
}

/**
 * Reads the rows of a CSV text (RFC 4180) as it comes in; no more than a chunk and a row are held at once.
 *
 * Lines end in CRLF or LF, the last one perhaps not at all. A byte order mark and empty lines are skipped. A row
 * that is malformed, too long, or not as wide as the first good one comes out as a fault, and reading goes on with
 * the line after it. Faults never throw.
 *
 * @param chunks the text, cut anywhere.
 */
export async function* csvRows(
  chunks: Iterable<string> | AsyncIterable<string>,
  { maxRowLength = 1_000_000 }: CsvOptions = {},
): AsyncGenerator<CsvRow, void, undefined> {
  const reader: Reader = { text: '', at: 0, line: 1, skipping: false, width: undefined, maxRowLength }
  let begun = false
  for await (const chunk of chunks) {
    reader.text = reader.text.slice(reader.at) + (begun ? chunk : chunk.replace(/^\uFEFF/, ''))
    reader.at = 0
    begun ||= chunk !== ''
    yield* completeRows(reader, false)
  }
  yield* completeRows(reader, true)
}

interface Reader {
  /** What has come in; it is read up to `at`, which is on line `line`. */
  text: string
  at: number
  line: number
  /** Whether the rest of the line belongs to a row that was given up. */
  skipping: boolean
  /** Cells of the first good row. */
  width: number | undefined
  readonly maxRowLength: number
}

function* completeRows(reader: Reader, isLast: boolean): Generator<CsvRow> {
  while (skipRest(reader) && reader.at < reader.text.length) {
    const { text, at, line } = reader
    const scan = scanRow(text, at, isLast)
    if (lengthOf(scan, reader) > reader.maxRowLength) {
      yield giveUp(reader, at, `is longer than ${reader.maxRowLength} characters`)
    } else if (!scan) {
      if (!isLast) return
      yield giveUp(reader, at, 'has a quote that is never closed')
    } else if (scan.fault !== undefined) {
      yield giveUp(reader, scan.end, scan.fault)
    } else {
      advance(reader, scan.end)
      if (!isEmptyLine(text, at)) yield checkWidth(reader, line, scan.cells)
    }
  }
}

/** How far a row was looked at; the same for every way to cut the text. */
function lengthOf(scan: Scan | undefined, { text, at }: Reader): number {
  if (!scan) return text.length - at
  return scan.end - at + (scan.fault === undefined ? 0 : 1)
}

/** Skips what is left of a row that was given up; false when its end has not come in yet. */
function skipRest(reader: Reader): boolean {
  if (!reader.skipping) return true
  const lineEnd = reader.text.indexOf('\n', reader.at)
  reader.skipping = lineEnd < 0
  advance(reader, reader.skipping ? reader.text.length : lineEnd + 1)
  return !reader.skipping
}

function giveUp(reader: Reader, at: number, fault: string): CsvRow {
  const { line } = reader
  advance(reader, at)
  reader.skipping = true
  return { line, fault }
}

function advance(reader: Reader, to: number): void {
  for (let i = reader.text.indexOf('\n', reader.at); i >= 0 && i < to; i = reader.text.indexOf('\n', i + 1))
    reader.line++
  reader.at = to
}

function checkWidth(reader: Reader, line: number, cells: readonly string[]): CsvRow {
  reader.width ??= cells.length
  if (cells.length === reader.width) return { line, cells }
  return { line, fault: `is of width ${cells.length}, the first row of width ${reader.width}` }
}

function isEmptyLine(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r'
}
