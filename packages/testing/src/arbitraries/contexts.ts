import fc from 'fast-check'

/** A context for which a flag is evaluated: one entity of a kind, with attributes that clauses can test. */
export interface SingleContext {
  readonly kind: string
  readonly key: string
  readonly name?: string
  readonly anonymous?: boolean
  readonly [attribute: string]: unknown
}

/** Several entities in one context, by kind. */
export interface MultiContext {
  readonly kind: 'multi'
  readonly [kind: string]: unknown
}

/** A context of one or several kinds. */
export type Context = SingleContext | MultiContext

const defaultKinds = ['user', 'organization', 'device']

const attributes = {
  email: fc.constantFrom('ada@example.com', 'bob@example.org', 'EVE@EXAMPLE.COM'),
  country: fc.constantFrom('NO', 'SE', 'DK', 'US'),
  plan: fc.constantFrom('free', 'pro'),
  version: fc.constantFrom('1.0.0', '1.9.0', '1.10.0', '2.0.0-rc.1'),
  seats: fc.integer({ min: 0, max: 100 }),
  groups: fc.subarray(['staff', 'beta', 'early']),
}

/**
 * Generates contexts of one kind, and sometimes of several. Keys and attributes repeat, so that targets and clauses
 * match often.
 * @param kinds default `user`, `organization` and `device`.
 */
export function contexts(kinds: readonly string[] = defaultKinds): fc.Arbitrary<Context> {
  const single = fc
    .constantFrom(...kinds)
    .chain((kind) => singleContextAttributes().map((rest): SingleContext => ({ kind, ...rest })))
  if (kinds.length < 2) return single
  const multi = fc
    .subarray([...kinds], { minLength: 2 })
    .chain((chosenKinds) => fc.record(Object.fromEntries(chosenKinds.map((kind) => [kind, singleContextAttributes()]))))
    .map((contextsByKind): MultiContext => ({ kind: 'multi', ...contextsByKind }))
  return fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: multi })
}

function singleContextAttributes() {
  const key = fc.integer({ min: 1, max: 50 }).map((number) => `key-${number}`)
  const optional = { name: fc.constantFrom('Ada', 'Bob'), anonymous: fc.boolean(), ...attributes }
  return fc.record({ key, ...optional }, { requiredKeys: ['key'] })
}
