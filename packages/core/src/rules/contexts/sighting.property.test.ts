import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EvaluationContext } from '../evaluation/subject.ts'
import { validateJson } from '../json-guard.ts'
import { maxStoredContext, sightingOf } from './sighting.ts'

/** Returns a value with the given number of nested levels. */
function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

describe('sightingOf', () => {
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', 'name', '_meta'))
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, key: name }) },
    fc.constantFrom(1, 60, 70, 100_000).map(nested),
    fc.integer({ min: 0, max: 2 * maxStoredContext }).map((length) => 'x'.repeat(length)),
  )
  const attributes = fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((entries): Record<string, unknown> => ({ ...Object.fromEntries(entries), key: 'ann' }))

  it('returns a context that can be stored, for any attributes', () => {
    fc.assert(
      fc.property(attributes, attributes, (user, device) => {
        const { kind: _, anonymous: __, ...ofUser } = user
        const { kind: ___, anonymous: ____, ...ofDevice } = device
        const context: EvaluationContext = { kind: 'multi', user: ofUser, device: ofDevice }
        const sighting = sightingOf(context, 1)
        if (!sighting) return
        expect(validateJson(sighting)).toEqual([])
        expect(JSON.parse(JSON.stringify(sighting))).toEqual(sighting)
        expect(JSON.stringify(sighting.contexts).length).toBeLessThanOrEqual(maxStoredContext)
        expect(sighting.contexts.map(({ kind, key }) => [kind, key])).toEqual([
          ['device', 'ann'],
          ['user', 'ann'],
        ])
      }),
    )
  })

  it('keeps the attributes of a context when they can be stored', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).filter((each) => validateJson(each).length === 0)
    const valid = fc.record({ kind: fc.constant('user'), key: fc.constant('ann'), text: fc.string(), json })
    fc.assert(
      fc.property(valid, (context) => {
        fc.pre(JSON.stringify([context]).length <= maxStoredContext)
        expect(sightingOf(context, 1)?.contexts).toEqual([JSON.parse(JSON.stringify(context))])
      }),
      { examples: [[{ kind: 'user', key: 'ann', text: '\\u0000 \\ud800', json: null }]] },
    )
  })
})
