export type Container = unknown[] | Record<string, unknown>

export function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** The member or element that a token names, or undefined when there is none: JSON has no undefined of its own. */
export function memberAt(container: Container, token: string): unknown {
  if (Array.isArray(container)) return container[arrayIndex(token)]
  return Object.hasOwn(container, token) ? container[token] : undefined
}

/**
 * Reads a token as an array index: digits without leading zeros (RFC 6901, section 4).
 *
 * @returns -1 when it is not one.
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
