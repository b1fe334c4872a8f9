import fc from 'fast-check'

/** A body of `createFlag`. */
export interface FlagBody {
  readonly key: string
  readonly name: string
  readonly description?: string
  readonly temporary?: boolean
  readonly tags?: string[]
  readonly variations?: FlagVariation[]
  readonly defaults?: { readonly onVariation: number; readonly offVariation: number }
  readonly clientSideAvailability?: { readonly usingEnvironmentId: boolean; readonly usingMobileKey: boolean }
  readonly purpose?: 'migration'
  readonly migrationSettings?: { readonly stageCount: 2 | 4 | 6; readonly contextKind?: string }
}

interface FlagVariation {
  readonly value: unknown
  readonly name?: string
}

/** A valid key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys) of readable length. */
const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
const words = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,30}$/)
const tags = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/), { maxLength: 3 })

const settings = {
  name: words,
  description: words,
  temporary: fc.boolean(),
  tags,
  clientSideAvailability: fc.record({ usingEnvironmentId: fc.boolean(), usingMobileKey: fc.boolean() }),
}

/** All values of a multivariate flag have the same type. */
const values = fc.oneof(
  fc.uniqueArray(words, { minLength: 2, maxLength: 5 }),
  fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 5 }),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 5 })
    .map((sizes) => sizes.map((size) => ({ size }))),
)

const multivariate = values.chain((list) => {
  const index = fc.nat({ max: list.length - 1 })
  const variations = fc.tuple(
    ...list.map((value) => fc.record({ value: fc.constant<unknown>(value), name: words }, { requiredKeys: ['value'] })),
  )
  const defaults = fc.record({ onVariation: index, offVariation: index })
  return fc.record({ variations, defaults }, { requiredKeys: ['variations'] })
})

/**
 * A migration of six stages has a context kind, and a migration with fewer stages has no context kind
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety).
 */
const migration = fc.constantFrom(
  { stageCount: 2 as const },
  { stageCount: 4 as const },
  { stageCount: 6 as const, contextKind: 'user' },
)

/**
 * Generates bodies that `createFlag` accepts: boolean and multivariate flags, and migration flags of each stage count.
 */
export function flagBodies(): fc.Arbitrary<FlagBody> {
  const kind = fc.oneof(
    fc.constant({}),
    multivariate,
    migration.map((migrationSettings) => ({ purpose: 'migration' as const, migrationSettings })),
  )
  const body = fc.record({ key, ...settings }, { requiredKeys: ['key', 'name'] })
  return fc.tuple(body, kind).map(([common, special]) => ({ ...common, ...special }))
}
