import * as v from 'valibot'
import { ApiError } from '../../operation/errors.ts'
import { incrementalSha256 } from '../../rules/incremental-sha256.ts'
import { textLines } from '../../rules/text-lines.ts'
import type { StoredRecord } from '../../storage/port.ts'
import { type BackUpFooter, type BackUpHeader, backUpVersion, noRecords } from './back-up-format.ts'
import { parseRecord } from './parse-record.ts'
import type { ExportedRecord } from './record-line.ts'

/** Input of an import: text or its UTF-8 bytes, split at any positions. */
export type BackUpPieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/**
 * The parts of a back-up in order: its header, its records in batches, and its footer after the whole content was
 * verified.
 */
export type BackUpPart =
  | { readonly part: 'header'; readonly header: BackUpHeader }
  | { readonly part: 'records'; readonly records: readonly ReadRecord[] }
  | { readonly part: 'footer'; readonly footer: BackUpFooter }

export interface ReadRecord {
  /** Number of the line, from 1. */
  readonly line: number
  readonly record: ExportedRecord
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const headerSchema = v.looseObject({ format: v.literal('halyard'), version: v.number() })
const currentHeader = v.strictObject({
  format: v.literal('halyard'),
  version: v.literal(backUpVersion),
  secrets: v.boolean(),
})
const footerSchema = v.strictObject({
  kind: v.literal('end'),
  records: v.strictObject({ document: count, member: count, sample: count, task: count }),
  leftOut: v.record(v.string(), count),
  sha256: v.string(),
})

/** Large enough for an efficient commit, small enough for the memory. */
const batch = { lines: 5000, units: 1_000_000 }

/** Makes the error of a back-up at one of its lines. */
export function errorAtLine(line: number, reason: string): ApiError {
  return new ApiError('invalid_request', { errors: [{ attribute: `line ${line}`, reason }] })
}

/**
 * Reads a back-up completely and verifies its footer.
 *
 * @throws ApiError `invalid_request` with the first invalid line: not a back-up, another version, an unknown record,
 *   altered or truncated content.
 */
export async function* readBackUp(pieces: BackUpPieces): AsyncGenerator<BackUpPart> {
  const hash = await incrementalSha256()
  const records: Record<StoredRecord['kind'], number> = { ...noRecords }
  let footer: BackUpFooter | undefined
  let lineNumber = 0
  let pending: ReadRecord[] = []
  let units = 0
  let unhashed = ''
  for await (const lines of decodedLines(pieces, () => lineNumber + 1)) {
    for (const { text, ended } of lines) {
      lineNumber++
      if (footer) throw errorAtLine(lineNumber, 'must not follow the last line of the back-up')
      if (!ended) throw errorAtLine(lineNumber, 'is truncated')
      const value = parseJson(text, lineNumber)
      if (lineNumber === 1) yield { part: 'header', header: headerOf(value) }
      else if (isFooter(value)) footer = footerOf(value, lineNumber)
      else {
        const parsedRecord = parseRecord(value)
        if ('error' in parsedRecord) throw errorAtLine(lineNumber, parsedRecord.error)
        records[parsedRecord.record.kind]++
        pending.push({ line: lineNumber, record: parsedRecord.record })
        units += text.length
      }
      if (!footer) unhashed += `${text}\n`
      if (pending.length >= batch.lines || units >= batch.units) {
        hash.update(unhashed)
        yield { part: 'records', records: pending }
        ;[pending, units, unhashed] = [[], 0, '']
      }
    }
  }
  hash.update(unhashed)
  if (lineNumber === 0) throw errorAtLine(1, 'is missing: the back-up is empty')
  if (!footer) throw errorAtLine(lineNumber + 1, 'is missing: the back-up is truncated')
  if (footer.sha256 !== hash.hex()) throw errorAtLine(lineNumber, 'sha256: the back-up was altered')
  if (pending.length > 0) yield { part: 'records', records: pending }
  yield { part: 'footer', footer }
}

async function* decodedLines(pieces: BackUpPieces, line: () => number): ReturnType<typeof textLines> {
  try {
    yield* textLines(pieces)
  } catch (error) {
    // Errors of the decoder are errors of the file; errors of the source of the pieces are not.
    if (error instanceof RangeError) throw errorAtLine(line(), 'is too long')
    if (isEncodingError(error)) throw errorAtLine(line(), 'is not UTF-8')
    throw error
  }
}

function isEncodingError(error: unknown): boolean {
  return error instanceof TypeError && /encoded data|utf-8|decod/i.test(error.message)
}

function parseJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw errorAtLine(line, line === 1 ? 'is not the header of a back-up' : 'is not valid JSON')
  }
}

function headerOf(value: unknown): BackUpHeader {
  if (!v.is(headerSchema, value)) throw errorAtLine(1, 'is not the header of a back-up')
  if (value.version !== backUpVersion) {
    throw errorAtLine(1, `version: ${value.version} is not ${backUpVersion}, the only supported version`)
  }
  if (!v.is(currentHeader, value)) throw errorAtLine(1, 'secrets: must be true or false')
  return value
}

function isFooter(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'end'
}

function footerOf(value: unknown, line: number): BackUpFooter {
  if (!v.is(footerSchema, value)) throw errorAtLine(line, 'must contain the counts and sha256')
  return value
}
