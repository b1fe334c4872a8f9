import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Serve } from './serve.ts'
import type { Targeting } from './targeting.ts'
import { validateTargeting } from './validate-targeting.ts'
import { indexMapping, keepsIndexes, removedIndex, renumberVariations, usesVariation } from './variation-indexes.ts'

const count = 5
const index = fc.nat(count - 1)
const serve: fc.Arbitrary<Serve> = fc.oneof(
  index.map((variation) => ({ variation })),
  fc.uniqueArray(index, { minLength: 1 }).map((indexes) => ({
    rollout: {
      contextKind: 'user',
      variations: indexes.map((variation, index) => ({ variation, weight: index === 0 ? 100_000 : 0 })),
    },
  })),
)
const target = (contextKind: string) =>
  fc
    .uniqueArray(index)
    .map((indexes) => indexes.map((variation) => ({ variation, contextKind, values: [`k${variation}`] })))

const targeting: fc.Arbitrary<Targeting> = fc.record({
  on: fc.boolean(),
  targets: target('user'),
  contextTargets: target('org'),
  rules: fc
    .array(serve, { maxLength: 4 })
    .map((serves) => serves.map((item, index) => ({ ...item, _id: `r${index}`, clauses: [], trackEvents: false }))),
  fallthrough: serve,
  offVariation: index,
  trackEvents: fc.boolean(),
  trackEventsFallthrough: fc.boolean(),
})

/** Returns every variation index in a targeting, found by a search through all its properties. */
function indexesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, property]) =>
    (name === 'variation' || name === 'offVariation') && typeof property === 'number'
      ? [property]
      : indexesIn(property),
  )
}

/** Replaces indexes by ids, so that outcomes can be compared independently of the order of variations. */
function withIds(value: unknown, ids: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids))
  if (typeof value !== 'object' || value === null) return value
  const properties = Object.entries(value).map(([name, property]) => [
    name,
    (name === 'variation' || name === 'offVariation') && typeof property === 'number'
      ? ids[property]
      : withIds(property, ids),
  ])
  return Object.fromEntries(properties)
}

const all = ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id }))
const idsOf = (list: readonly { readonly _id: string }[]) => list.map(({ _id }) => _id)

describe('renumberVariations', () => {
  it('serves the same variations after they are reordered', () => {
    const shuffled = fc.shuffledSubarray(all, { minLength: count, maxLength: count })
    fc.assert(
      fc.property(targeting, shuffled, (before, order) => {
        const after = renumberVariations(before, indexMapping(all, order))
        expect(withIds(after, idsOf(order))).toEqual(withIds(before, idsOf(all)))
        expect(validateTargeting(after, count)).toEqual(validateTargeting(before, count))
        expect(keepsIndexes(all, order)).toBe(idsOf(order).join() === idsOf(all).join())
      }),
    )
  })

  it('leaves an invalid index exactly where a removed variation was referenced', () => {
    fc.assert(
      fc.property(targeting, index, (before, removed) => {
        const remaining = all.filter((_, index) => index !== removed)
        const after = renumberVariations(before, indexMapping(all, remaining))
        expect(usesVariation(before, removed)).toBe(indexesIn(before).includes(removed))
        expect(usesVariation(after, removedIndex)).toBe(usesVariation(before, removed))
        const hasNewErrors = validateTargeting(after, remaining.length).length > validateTargeting(before, count).length
        expect(hasNewErrors).toBe(usesVariation(before, removed))
      }),
    )
  })
})

describe('validateTargeting', () => {
  it('returns no error if all referenced variations exist', () => {
    fc.assert(
      fc.property(targeting, (item) => {
        expect(validateTargeting(item, count)).toEqual([])
      }),
    )
  })

  it('returns an error for each reference to a variation that does not exist', () => {
    fc.assert(
      fc.property(targeting, fc.nat(count), (item, variationCount) => {
        const errors = validateTargeting(item, variationCount).filter(
          ({ reason }) => reason === 'must be the index of a variation',
        )
        expect(errors).toHaveLength(indexesIn(item).filter((index) => index >= variationCount).length)
      }),
    )
  })
})
