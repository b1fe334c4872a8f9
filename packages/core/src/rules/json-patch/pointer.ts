/** A JSON Pointer (RFC 6901): its text and its tokens. `''` has no tokens and refers to the whole document. */
export interface Pointer {
  readonly text: string
  /** Unescaped tokens, in order; never a name that reaches a prototype. */
  readonly tokens: readonly string[]
}

/**
 * Maximum number of tokens. It equals the default maximum depth of bodies: a longer pointer matches nothing, and `add`
 * could only use it to create depth.
 */
const maxTokens = 64

/**
 * Parses a JSON Pointer.
 *
 * In addition to texts that are invalid by RFC 6901, these are rejected: NUL, the names `__proto__`, `constructor` and
 * `prototype`, and more than 64 tokens.
 *
 * @returns the pointer, or the reason why the text is not valid.
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
  const forbiddenName = tokens.find(isPrototypeName)
  return forbiddenName === undefined ? { text, tokens } : `must not contain the name "${forbiddenName}"`
}

/** Formats tokens as a JSON Pointer. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let text = ''
  for (const token of tokens) text += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return text
}

/**
 * Restores the characters of a token. `~1` is replaced first: in the other order `~01` would become `/` (RFC 6901,
 * section 4).
 */
function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * Returns true if a property name can reach an object's prototype when it is assigned or followed.
 *
 * No document has such a property, so requests with one are rejected, also where an own property of that name would be
 * harmless: a later copy of the document by assignment would change a prototype.
 */
export function isPrototypeName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype'
}

/** A value from which a token of a pointer can select: an array or an object. */
export type Container = unknown[] | Record<string, unknown>

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the property or element that a token selects; undefined when it does not exist, since JSON has no undefined.
 */
export function valueAt(container: Container, token: string): unknown {
  if (Array.isArray(container)) return container[arrayIndex(token)]
  return Object.hasOwn(container, token) ? container[token] : undefined
}

/**
 * Reads a token as an array index: digits without leading zeros (RFC 6901, section 4).
 *
 * @returns -1 when the token is not an index.
 */
export function arrayIndex(token: string): number {
  const { length } = token
  if (length === 0 || length > 15 || (length > 1 && token.charCodeAt(0) === ZERO)) return -1
  let index = 0
  for (let i = 0; i < length; i++) {
    const digit = token.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return -1
    index = index * 10 + digit
  }
  return index
}

const ZERO = 48
