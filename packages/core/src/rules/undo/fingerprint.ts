import { canonicalJson } from '../canonical-json.ts'

/**
 * Returns a fingerprint of a JSON value: equal values have equal fingerprints, and different values have equal ones
 * with a probability below 10^-15. The fingerprint need not resist attacks, so it is a fast hash of 53 bits.
 */
export function fingerprint(value: unknown): string {
  const text = canonicalJson(value)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return ((low >>> 11) * 2 ** 32 + (high >>> 0)).toString(36)
}
