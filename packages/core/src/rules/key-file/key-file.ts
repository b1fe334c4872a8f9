import type { ValidationError } from '../json-guard.ts'

export interface KeyFileReader {
  /** Returns the keys that these bytes complete. */
  push(bytes: Uint8Array): string[]
  /** Returns the keys that the end of the file completes. */
  end(): string[]
  /** Number of keys so far; repeated keys count each time. */
  readonly count: number
  /** Errors in the order of the lines; at most 20, after which reading stops. */
  readonly errors: readonly ValidationError[]
  /** True if reading has stopped, so that no more keys or errors follow. */
  readonly isStopped: boolean
}

/** Texts of a first line that count as a heading. */
const headings = new Set(['key', 'userkey', 'user_key', 'contextkey', 'context_key'])

const maxKeyLength = 256
const maxErrors = 20
/**
 * Maximum length of a line. The longest valid line, a quoted key of maximum length whose characters are all doubled, is
 * less than half as long.
 */
const maxLineLength = 2_048

/**
 * Creates a reader for a CSV file (RFC 4180) of one column, one key on each line, that receives pieces of any size.
 *
 * A byte order mark, a heading (`key`, `userKey`, `contextKey`, ignoring case) and empty lines are ignored. A key that
 * contains a comma or a quote must be quoted; a key cannot contain a line break.
 *
 * @param maxKeys maximum number of keys.
 */
export function keyFileReader(maxKeys: number): KeyFileReader {
  return new CsvKeyReader(maxKeys)
}

class CsvKeyReader implements KeyFileReader {
  readonly errors: ValidationError[] = []
  readonly #maxKeys: number
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #rest = ''
  #line = 0
  #count = 0
  #isOver = false

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys
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

  get isStopped(): boolean {
    return this.#isOver
  }

  #report(reason: string, attribute = `file.${this.#line}`): void {
    if (this.errors.length < maxErrors) this.errors.push({ attribute, reason })
    this.#isOver ||= this.errors.length === maxErrors
  }

  #stop(reason: string): void {
    this.#report(reason, 'file')
    this.#isOver = true
  }

  #take(text: string, keys: string[]): void {
    this.#line++
    const row = text.endsWith('\r') ? text.slice(0, -1) : text
    if (row === '' || (this.#line === 1 && headings.has(row.toLowerCase()))) return
    const key = row.includes('"') || row.includes(',') ? unquote(row) : row
    const reason = key === undefined ? 'must be one field, quoted if it contains a comma or a quote' : keyError(key)
    if (reason !== undefined) this.#report(reason)
    else if (++this.#count > this.#maxKeys) this.#stop(`must contain at most ${this.#maxKeys} keys`)
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
    if (this.#rest.length > maxLineLength && !this.#isOver)
      this.#stop(`must hold lines of at most ${maxLineLength} characters`)
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

/** Returns the only field of a row; undefined if the row is not one quoted field. */
function unquote(row: string): string | undefined {
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(row) ?? []
  return quoted?.replaceAll('""', '"')
}

function keyError(key: string): string | undefined {
  if (key === '') return 'must not be empty'
  if (key.length > maxKeyLength) return `must have at most ${maxKeyLength} characters`
  return key.includes('\0') ? 'must not contain NUL' : undefined
}

/** First line of a key file. Without this line, a reader would ignore a first key that equals a heading. */
export const keyFileHeading = 'key\n'

/**
 * Formats keys as lines of a key file. A key with a line break is quoted; the reader rejects it, but the other keys are
 * unaffected.
 */
export function keyFileLines(keys: readonly string[]): string {
  return keys.map((key) => `${/[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key}\n`).join('')
}
