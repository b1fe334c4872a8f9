import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalidator } from './dependency-cache.ts'
import {
  affectedBy,
  type Dependency,
  DependencyIndex,
  type DependencyTracker,
  documentDependency,
  keySetDependency,
  listDependency,
  samplesDependency,
} from './dependency-index.ts'
import type { TouchedRecords } from './port.ts'
import { affects } from './test/affects.ts'

const name = fc.constantFrom('flag', 'config', 'deep')
const scope = fc.constantFrom('', 'proj/a', 'proj/a:env/x', 'proj/a:env/x:flag/f', 'proj/ab', 'proj/ab:env/x')
const key = fc.constantFrom('k', 'l')

const dependency: fc.Arbitrary<Dependency> = fc.oneof(
  fc.record({ collection: name, scope, key }).map(documentDependency),
  fc.record({ collection: name, scope, deep: fc.boolean() }).map(listDependency),
  fc.record({ name, scope }).map(keySetDependency),
  fc.record({ name, scope }).map(samplesDependency),
)

const touched: fc.Arbitrary<TouchedRecords> = fc.oneof(
  fc.record({ collection: name, scope, key }).map((id): TouchedRecords => ({ kind: 'document', id })),
  fc.record({ collection: name, scope }).map((one): TouchedRecords => ({ kind: 'collection', ...one })),
  scope.map((one): TouchedRecords => ({ kind: 'scope', scope: one })),
  fc.record({ name, scope }).map((set): TouchedRecords => ({ kind: 'keys', set })),
  fc.record({ name, scope }).map((series): TouchedRecords => ({ kind: 'samples', series })),
)

function isAffected(change: TouchedRecords, on: Dependency): boolean {
  const isWide = change.kind === 'collection' || change.kind === 'scope'
  return isWide ? affects(change, on) : affectedBy(change).includes(on)
}

describe('trackers of dependencies', () => {
  it('become stale by changes of their dependencies, and by no others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(dependency, { maxLength: 4 }), { maxLength: 8 }),
        fc.array(touched),
        (on, changes) => {
          let report: (touched: readonly TouchedRecords[]) => void = () => {}
          const invalidator = new Invalidator({
            watch(onChange) {
              report = onChange
              return { live: () => true, stop: async () => {} }
            },
          })
          const trackers = on.map((dependencies) => {
            const tracker = invalidator.track()
            for (const each of dependencies) tracker?.add(each)
            return tracker
          })
          report(changes)
          expect(trackers.map((tracker) => tracker?.stale)).toEqual(
            on.map((dependencies) => changes.some((change) => dependencies.some((on) => isAffected(change, on)))),
          )
        },
      ),
    )
  })

  it('leave the index empty once all have stopped or are stale', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(dependency, { minLength: 1 })), fc.array(touched), (on, changes) => {
        const index = new DependencyIndex()
        const trackers = on.map((dependencies) => trackerOn(index, dependencies))
        expect(index.isEmpty()).toBe(on.length === 0)
        for (const change of changes) {
          if (change.kind === 'collection' || change.kind === 'scope') index.invalidateWithin(change)
        }
        for (const tracker of trackers.filter((_, i) => i % 2 === 0)) tracker.stop()
        index.invalidateAll()
        expect(index.isEmpty()).toBe(true)
      }),
    )
  })

  it('are invalidated once by a change that affects several of their dependencies', () => {
    fc.assert(
      fc.property(dependency, touched, (on, change) => {
        if (change.kind !== 'collection' && change.kind !== 'scope') return
        const index = new DependencyIndex()
        let times = 0
        index.add(on, { ...trackerOn(index, []), invalidate: () => void times++ })
        index.invalidateWithin(change)
        expect(times).toBe(affects(change, on) ? 1 : 0)
      }),
    )
  })
})

/** Returns a tracker of some dependencies that stops when it is invalidated. */
function trackerOn(index: DependencyIndex, dependencies: readonly Dependency[]): DependencyTracker {
  const tracker: DependencyTracker = {
    stale: false,
    add: () => {},
    onStale: () => {},
    invalidate: () => tracker.stop(),
    stop() {
      for (const each of dependencies) index.remove(each, tracker)
    },
  }
  for (const each of dependencies) index.add(each, tracker)
  return tracker
}
