import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concernedBy, concerns, type Dependency, onDocument, onList, onMembers, onSamples } from './dependencies.ts'
import { freshness } from './freshness.ts'
import type { Touched } from './port.ts'

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
})
