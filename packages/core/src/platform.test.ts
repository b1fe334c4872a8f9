import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { platform } from './platform.ts'

/** Length of the texts that are compared: two equal ones would be found by chance in one of a billion runs. */
const partLength = 24

function partsOf(text: string): string[] {
  const count = Math.max(0, (text.length - partLength) / 2 + 1)
  return Array.from({ length: count }, (_, index) => text.slice(2 * index, 2 * index + partLength))
}

describe('random hexadecimal numbers', () => {
  it('have the requested length, and share no part with those of other calls', () => {
    const seen = new Set<string>()
    const few = fc.integer({ min: 0, max: 64 })
    const many = fc.constantFrom(4095, 4096, 4097)
    const sizes = fc.oneof({ arbitrary: few, weight: 40 }, { arbitrary: many, weight: 1 })
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 50 }), (counts) => {
        for (const count of counts) {
          const text = platform.randomHex(count)
          expect(text).toMatch(/^[0-9a-f]*$/)
          expect(text).toHaveLength(2 * count)
          const parts = partsOf(text)
          expect(parts.filter((part) => seen.has(part))).toEqual([])
          for (const part of parts) seen.add(part)
        }
      }),
    )
  })
})
