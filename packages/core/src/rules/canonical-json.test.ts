import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { jsonEqual } from './json-equal.ts'

it.each<[unknown, string]>([
  [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
  [{ a: undefined, b: 'x' }, '{"b":"x"}'],
  [{ '': { '"': -0 } }, '{"":{"\\"":0}}'],
  [undefined, 'undefined'],
])('canonicalJson serializes %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

it('canonicalJson returns the same text for two values if and only if they are equal', () => {
  const value = fc.jsonValue({ maxDepth: 3, depthSize: 'small' })
  const shuffled = value.map((original) => [original, JSON.parse(JSON.stringify(original), reversed)] as const)
  fc.assert(
    fc.property(fc.oneof(fc.tuple(value, value), shuffled), ([a, b]) => {
      expect(canonicalJson(a) === canonicalJson(b)).toBe(jsonEqual(a, b))
    }),
  )
})

function reversed(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).reverse())
}
