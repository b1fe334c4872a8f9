import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concernedBy, type Dependency, onDocument, onList, onMembers, onSamples } from './dependencies.ts'
import { freshness } from './freshness.ts'
import type { Touched } from './port.ts'
import { concerns } from './test/concerns.ts'
import type { Trail } from './trail.ts'
import { type TrailIndex, trailIndex } from './trail-index.ts'

const name = fc.constantFrom('flag', 'config', 'deep')
const scope = fc.constantFrom('', 'proj/a', 'proj/a:env/x', 'proj/a:env/x:flag/f', 'proj/ab', 'proj/ab:env/x')
const key = fc.constantFrom('k', 'l')

const dependency: fc.Arbitrary<Dependency> = fc.oneof(
  fc.record({ collection: name, scope, key }).map(onDocument),
  fc.record({ collection: name, scope, deep: fc.boolean() }).map(onList),
  fc.record({ name, scope }).map(onMembers),
  fc.record({ name, scope }).map(onSamples),
)

const touched: fc.Arbitrary<Touched> = fc.oneof(
  fc.record({ collection: name, scope, key }).map((id): Touched => ({ what: 'document', id })),
  fc.record({ collection: name, scope }).map((one): Touched => ({ what: 'collection', ...one })),
  scope.map((one): Touched => ({ what: 'scope', scope: one })),
  fc.record({ name, scope }).map((set): Touched => ({ what: 'members', set })),
  fc.record({ name, scope }).map((series): Touched => ({ what: 'samples', series })),
)

function isConcerned(one: Touched, on: Dependency): boolean {
  const isWide = one.what === 'collection' || one.what === 'scope'
  return isWide ? concerns(one, on) : concernedBy(one).includes(on)
}

describe('trails', () => {
  it('are spoilt by what concerns any of their dependencies, and by nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(dependency, { maxLength: 4 }), { maxLength: 8 }),
        fc.array(touched),
        (on, changes) => {
          let tell: (touched: readonly Touched[]) => void = () => {}
          const fresh = freshness({
            watch(told) {
              tell = told
              return { live: () => true, stop: async () => {} }
            },
          })
          const trails = on.map((dependencies) => {
            const trail = fresh.begin()
            for (const one of dependencies) trail?.note(one)
            return trail
          })
          tell(changes)
          expect(trails.map((trail) => trail?.spoilt)).toEqual(
            on.map((dependencies) => changes.some((one) => dependencies.some((on) => isConcerned(one, on)))),
          )
        },
      ),
    )
  })

  it('leave nothing behind once all of them have ended or are spoilt', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(dependency, { minLength: 1 })), fc.array(touched), (on, changes) => {
        const index = trailIndex()
        const trails = on.map((dependencies) => noting(index, dependencies))
        expect(index.isEmpty()).toBe(on.length === 0)
        for (const one of changes) if (one.what === 'collection' || one.what === 'scope') index.spoilWithin(one)
        for (const trail of trails.filter((_, i) => i % 2 === 0)) trail.end()
        index.spoilAll()
        expect(index.isEmpty()).toBe(true)
      }),
    )
  })

  it('are spoilt once by one change, however it concerns what they are on', () => {
    fc.assert(
      fc.property(dependency, touched, (on, one) => {
        if (one.what !== 'collection' && one.what !== 'scope') return
        const index = trailIndex()
        let times = 0
        index.add(on, { ...noting(index, []), spoil: () => void times++ })
        index.spoilWithin(one)
        expect(times).toBe(concerns(one, on) ? 1 : 0)
      }),
    )
  })
})

/** A trail on some dependencies that ends when it is spoilt. */
function noting(index: TrailIndex, dependencies: readonly Dependency[]): Trail {
  const trail: Trail = {
    spoilt: false,
    note: () => {},
    onSpoilt: () => {},
    spoil: () => trail.end(),
    end() {
      for (const one of dependencies) index.remove(one, trail)
    },
  }
  for (const one of dependencies) index.add(one, trail)
  return trail
}
