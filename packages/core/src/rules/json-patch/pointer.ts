import { isPrototypeName } from './prototype-name.ts'

/** A JSON Pointer (RFC 6901): as it was written, and taken apart. `''` has no tokens and means the whole document. */
export interface Pointer {
  readonly text: string
  /** Unescaped, in order; never a name that reaches a prototype. */
  readonly tokens: readonly string[]
}

/** As deep as bodies may nest by default: a longer pointer finds nothing, and `add` could only build depth with it. */
const maxTokens = 64

/**
 * Reads a JSON Pointer.
 *
 * Refused beyond RFC 6901: NUL, the names `__proto__`, `constructor` and `prototype`, and more than 64 tokens.
 *
 * @returns the pointer, or the reason why it is none.
 */
export function parsePointer(text: unknown): Pointer | string {
  if (typeof text !== 'string') return 'must be a JSON Pointer'
  if (text === '') return { text, tokens: [] }
  if (!text.startsWith('/')) return 'must be empty or begin with "/"'
  if (text.includes('\0')) return 'must not contain NUL'
  const tokens = text.split('/')
  tokens.shift()
  if (tokens.length > maxTokens) return `must not have more than ${maxTokens} tokens`
  if (text.includes('~')) {
    if (/~(?![01])/.test(text)) return 'must use "~" only in "~0" and "~1"'
    for (let i = 0; i < tokens.length; i++) tokens[i] = unescapeToken(tokens[i]!)
  }
  const refused = tokens.find(isPrototypeName)
  return refused === undefined ? { text, tokens } : `must not contain the name "${refused}"`
}

/** Writes tokens as a JSON Pointer. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let text = ''
  for (const token of tokens) text += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return text
}

/** `~1` first: the other way round, `~01` would become `/` (RFC 6901, section 4). */
function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
