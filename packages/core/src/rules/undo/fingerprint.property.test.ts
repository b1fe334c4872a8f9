import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonEqual } from '../json-equal.ts'
import { fingerprint } from './fingerprint.ts'
import { anyObject } from './test/json-documents.ts'

it('fingerprint is the same for equal values, whatever the order of their properties', () => {
  const property = fc.property(anyObject, (value) => {
    const reversed = Object.fromEntries(Object.entries(value).reverse())
    expect(fingerprint(reversed)).toBe(fingerprint(value))
  })
  fc.assert(property, { numRuns: 500 })
})

it('fingerprint differs for different values', () => {
  const property = fc.property(anyObject, anyObject, (one, other) => {
    expect(fingerprint(one) === fingerprint(other)).toBe(jsonEqual(one, other))
  })
  fc.assert(property, { numRuns: 2000 })
})

it('fingerprint differs for lists whose elements have another order', () => {
  expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['b', 'a']))
})
