import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Serve } from './serve.ts'
import type { Targeting } from './targeting.ts'
import { targetingFaults } from './targeting-faults.ts'
import { gone, keepsPlaces, names, placesIn, renumbered } from './variation-places.ts'

const count = 5
const index = fc.nat(count - 1)
const serve: fc.Arbitrary<Serve> = fc.oneof(
  index.map((variation) => ({ variation })),
  fc.uniqueArray(index, { minLength: 1 }).map((indexes) => ({
    rollout: {
      contextKind: 'user',
      variations: indexes.map((variation, at) => ({ variation, weight: at === 0 ? 100_000 : 0 })),
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
    .map((serves) => serves.map((one, at) => ({ ...one, _id: `r${at}`, clauses: [], trackEvents: false }))),
  fallthrough: serve,
  offVariation: index,
  trackEvents: fc.boolean(),
  trackEventsFallthrough: fc.boolean(),
})

/** Returns every variation index in a targeting, found by a search through all its properties. */
function indexesIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    (name === 'variation' || name === 'offVariation') && typeof member === 'number' ? [member] : indexesIn(member),
  )
}

/** Replaces indexes by ids, so that outcomes can be compared independently of the order of variations. */
function named(value: unknown, ids: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, ids))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    (name === 'variation' || name === 'offVariation') && typeof member === 'number' ? ids[member] : named(member, ids),
  ])
  return Object.fromEntries(members)
}

const all = ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id }))
const idsOf = (list: readonly { readonly _id: string }[]) => list.map(({ _id }) => _id)

describe('renumberVariations', () => {
  it('serves the same variations after they are reordered', () => {
    const shuffled = fc.shuffledSubarray(all, { minLength: count, maxLength: count })
    fc.assert(
      fc.property(targeting, shuffled, (before, order) => {
        const after = renumbered(before, placesIn(all, order))
        expect(named(after, idsOf(order))).toEqual(named(before, idsOf(all)))
        expect(targetingFaults(after, count)).toEqual(targetingFaults(before, count))
        expect(keepsPlaces(all, order)).toBe(idsOf(order).join() === idsOf(all).join())
      }),
    )
  })

  it('leaves an invalid index exactly where a removed variation was referenced', () => {
    fc.assert(
      fc.property(targeting, index, (before, removed) => {
        const left = all.filter((_, at) => at !== removed)
        const after = renumbered(before, placesIn(all, left))
        expect(names(before, removed)).toBe(indexesIn(before).includes(removed))
        expect(names(after, gone)).toBe(names(before, removed))
        const unfounded = targetingFaults(after, left.length).length > targetingFaults(before, count).length
        expect(unfounded).toBe(names(before, removed))
      }),
    )
  })
})

describe('validateTargeting', () => {
  it('returns no error if all referenced variations exist', () => {
    fc.assert(
      fc.property(targeting, (one) => {
        expect(targetingFaults(one, count)).toEqual([])
      }),
    )
  })

  it('returns an error for each reference to a variation that does not exist', () => {
    fc.assert(
      fc.property(targeting, fc.nat(count), (one, there) => {
        const faults = targetingFaults(one, there).filter(({ reason }) => reason === 'must be the index of a variation')
        expect(faults).toHaveLength(indexesIn(one).filter((at) => at >= there).length)
      }),
    )
  })
})
