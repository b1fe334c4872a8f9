import type { Fault } from '../json-guard.ts'

export interface KeyFileReader {
  /** The keys that these bytes complete. */
  push(bytes: Uint8Array): string[]
  /** The keys that the end of the file completes. */
  end(): string[]
  /** How many keys there were, repeated ones counted each time. */
  readonly count: number
  /** What is wrong, in the order of the lines; at most 20, with which reading ends. */
  readonly faults: readonly Fault[]
  /** Whether more faults would not be told. */
  readonly full: boolean
}

/** Words that a first line may have as the heading of the column. */
const headings = new Set(['key', 'userkey', 'user_key', 'contextkey', 'context_key'])

const mostKeyCharacters = 256
const mostFaults = 20
/** A line so long is none: a key quoted with each of its characters doubled is not half of it. */
const mostLineCharacters = 2_048

/**
 * Reads a CSV file (RFC 4180) of one column, one key on each line, from pieces of any size.
 *
 * A byte order mark, a heading (`key`, `userKey`, `contextKey`, with any case) and empty lines are overlooked. A key that
 * holds a comma or a quote stands in quotes; one cannot hold a line break.
 *
 * @param mostKeys how many keys there may be.
 */
export function keyFileReader(mostKeys: number): KeyFileReader {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const faults: Fault[] = []
  let rest = ''
  let line = 0
  let count = 0
  let over = false

  function report(reason: string, attribute = `file.${line}`): void {
    if (faults.length < mostFaults) faults.push({ attribute, reason })
    over ||= faults.length === mostFaults
  }

  function stop(reason: string): void {
    report(reason, 'file')
    over = true
  }

  function take(text: string, keys: string[]): void {
    line++
    const row = text.endsWith('\r') ? text.slice(0, -1) : text
    if (row === '' || (line === 1 && headings.has(row.toLowerCase()))) return
    const key = row.includes('"') || row.includes(',') ? unquoted(row) : row
    const reason = key === undefined ? 'must be one field, in quotes where it holds a comma or a quote' : keyFault(key)
    if (reason !== undefined) report(reason)
    else if (++count > mostKeys) stop(`must hold at most ${mostKeys} keys`)
    else keys.push(key as string)
  }

  function read(text: string, last: boolean): string[] {
    const lines = (rest + text).split('\n')
    rest = last ? '' : (lines.pop() as string)
    const keys: string[] = []
    for (const one of lines) {
      if (over) break
      take(one, keys)
    }
    if (rest.length > mostLineCharacters && !over) stop(`must hold lines of at most ${mostLineCharacters} characters`)
    return keys
  }

  function decoded(bytes?: Uint8Array): string {
    try {
      return bytes ? utf8.decode(bytes, { stream: true }) : utf8.decode()
    } catch {
      stop('must be UTF-8')
      return ''
    }
  }

  return {
    push: (bytes) => (over ? [] : read(decoded(bytes), false)),
    end: () => (over ? [] : read(decoded(), true)),
    get count() {
      return count
    },
    faults,
    get full() {
      return over
    },
  }
}

/** The one field of a row; undefined where there is no such thing. */
function unquoted(row: string): string | undefined {
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(row) ?? []
  return quoted?.replaceAll('""', '"')
}

function keyFault(key: string): string | undefined {
  if (key === '') return 'must not be empty'
  if (key.length > mostKeyCharacters) return `must have at most ${mostKeyCharacters} characters`
  return key.includes('\0') ? 'must not contain NUL' : undefined
}

/** The first line of a file of keys: without it a first key that reads like a heading would be taken for one. */
export const keyFileHeading = 'key\n'

/** Keys as lines of such a file. One with a line break cannot be read again, but is told from its neighbours. */
export function keyFileLines(keys: readonly string[]): string {
  return keys.map((key) => `${/[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key}\n`).join('')
}
