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
  return new CsvKeyReader(mostKeys)
}

class CsvKeyReader implements KeyFileReader {
  readonly faults: Fault[] = []
  readonly #mostKeys: number
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #rest = ''
  #line = 0
  #count = 0
  #isOver = false

  constructor(mostKeys: number) {
    this.#mostKeys = mostKeys
  }

  push(bytes: Uint8Array): string[] {
    return this.#isOver ? [] : this.#read(this.#decode(bytes), false)
  }

  end(): string[] {
    return this.#isOver ? [] : this.#read(this.#decode(), true)
  }

  get count(): number {
    return this.#count
  }

  get full(): boolean {
    return this.#isOver
  }

  #report(reason: string, attribute = `file.${this.#line}`): void {
    if (this.faults.length < mostFaults) this.faults.push({ attribute, reason })
    this.#isOver ||= this.faults.length === mostFaults
  }

  #stop(reason: string): void {
    this.#report(reason, 'file')
    this.#isOver = true
  }

  #take(text: string, keys: string[]): void {
    this.#line++
    const row = text.endsWith('\r') ? text.slice(0, -1) : text
    if (row === '' || (this.#line === 1 && headings.has(row.toLowerCase()))) return
    const key = row.includes('"') || row.includes(',') ? unquoted(row) : row
    const reason = key === undefined ? 'must be one field, in quotes where it holds a comma or a quote' : keyFault(key)
    if (reason !== undefined) this.#report(reason)
    else if (++this.#count > this.#mostKeys) this.#stop(`must hold at most ${this.#mostKeys} keys`)
    else keys.push(key as string)
  }

  #read(text: string, isLast: boolean): string[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = isLast ? '' : (lines.pop() as string)
    const keys: string[] = []
    for (const line of lines) {
      if (this.#isOver) break
      this.#take(line, keys)
    }
    if (this.#rest.length > mostLineCharacters && !this.#isOver)
      this.#stop(`must hold lines of at most ${mostLineCharacters} characters`)
    return keys
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes ? this.#utf8.decode(bytes, { stream: true }) : this.#utf8.decode()
    } catch {
      this.#stop('must be UTF-8')
      return ''
    }
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
