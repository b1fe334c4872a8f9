import fc from 'fast-check'

/** What a flag is evaluated for: one thing of a kind, with attributes that clauses can ask for. */
export interface SingleContext {
  readonly kind: string
  readonly key: string
  readonly name?: string
  readonly anonymous?: boolean
  readonly [attribute: string]: unknown
}

/** Several things at once, by kind. */
export interface MultiContext {
  readonly kind: 'multi'
  readonly [kind: string]: unknown
}

/** A context of one kind, or of several. */
export type Context = SingleContext | MultiContext

const usualKinds = ['user', 'organization', 'device']

const attributes = {
  email: fc.constantFrom('ada@example.com', 'bob@example.org', 'EVE@EXAMPLE.COM'),
  country: fc.constantFrom('NO', 'SE', 'DK', 'US'),
  plan: fc.constantFrom('free', 'pro'),
  version: fc.constantFrom('1.0.0', '1.9.0', '1.10.0', '2.0.0-rc.1'),
  seats: fc.integer({ min: 0, max: 100 }),
  groups: fc.subarray(['staff', 'beta', 'early']),
}

/**
 * Contexts of one kind, and now and then of several; keys and attributes repeat, so that targets and clauses meet.
 *
 * @param kinds default `user`, `organization` and `device`.
 */
export function contexts(kinds: readonly string[] = usualKinds): fc.Arbitrary<Context> {
  const single = fc.constantFrom(...kinds).chain((kind) => member().map((rest): SingleContext => ({ kind, ...rest })))
  if (kinds.length < 2) return single
  const multi = fc
    .subarray([...kinds], { minLength: 2 })
    .chain((some) => fc.record(Object.fromEntries(some.map((kind) => [kind, member()]))))
    .map((members): MultiContext => ({ kind: 'multi', ...members }))
  return fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: multi })
}

function member() {
  const key = fc.integer({ min: 1, max: 50 }).map((number) => `key-${number}`)
  const optional = { name: fc.constantFrom('Ada', 'Bob'), anonymous: fc.boolean(), ...attributes }
  return fc.record({ key, ...optional }, { requiredKeys: ['key'] })
}
