import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'

const countries = ['de', 'fr', 'us', 'DE', '']
const emails = ['ann@example.com', 'bob@example.org', 'kim']
const versions = [
  '1.2.3',
  '1.2.4',
  '1.2.3-rc.1',
  '1.3.0',
  '2.0.0',
  '1',
  '1.2',
  '0.1.0',
  'none',
  '2.0.0-alpha',
  '1.2-rc',
]
const ages = [0, 1, 17, 18, 18.5, 65, -1]
const users = ['u1', 'u2', 'u3']

const country = { var: 'country' }
const age = fc.constantFrom<unknown>({ var: 'age' }, { var: ['age'] })

const leaf = fc.oneof(
  fc
    .tuple(fc.constantFrom('==', '!=', '===', '!=='), fc.constantFrom('de', 'fr', ''))
    .map(([op, text]) => ({ [op]: [country, text] })),
  fc.constantFrom('de', 'us').map((text) => ({ '==': [text, country] })),
  fc
    .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), age, fc.constantFrom(18, 0, 1, -1))
    .map(([op, name, bound]) => ({
      [op]: [name, bound],
    })),
  fc
    .tuple(fc.constantFrom('<', '<=', '>', '>='), age, fc.constantFrom(18, 0))
    .map(([op, name, bound]) => ({ [op]: [bound, name] })),
  fc.tuple(age, fc.constantFrom([0, 18], [17, 65])).map(([name, [from, to]]) => ({ '<': [from, name, to] })),
  fc.tuple(fc.constantFrom('==', '!='), fc.boolean()).map(([op, value]) => ({ [op]: [{ var: 'beta' }, value] })),
  fc.uniqueArray(fc.constantFrom('de', 'fr', 'us'), { minLength: 1 }).map((list) => ({ in: [country, list] })),
  fc.uniqueArray(fc.constantFrom(...users), { minLength: 1 }).map((list) => ({ in: [{ var: 'targetingKey' }, list] })),
  fc.constantFrom('@example.com', 'ann', 'i').map((text) => ({ in: [text, { var: 'email' }] })),
  fc
    .tuple(fc.constantFrom('starts_with', 'ends_with'), fc.constantFrom('ann', '.com', 'kim', ''))
    .map(([op, text]) => ({
      [op]: [{ var: 'email' }, text],
    })),
  fc
    .tuple(
      fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '^', '~'),
      fc.constantFrom('1.2.3', '1.2', '2', 'v1.2.3', '1.2.3-rc.1'),
    )
    .map(([op, bound]) => ({ sem_ver: [{ var: 'version' }, op, bound] })),
  fc.constantFrom('age', 'country', 'beta').map((name) => ({ '!': [{ var: name }] })),
  fc.constantFrom('age', 'country', 'beta', 'targetingKey').map((name) => ({ '!!': { var: name } })),
  fc.constantFrom('de', 'us').map((text) => ({ '==': [{ var: 'address.country' }, text] })),
  fc.constantFrom({ '==': [{ var: '$flagd.flagKey' }, 'flag-0'] }, true, false, { $ref: 'shared' }, { var: 'country' }),
  fc.constant({ '==': [country, null] }),
)

const condition: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((of) => ({ and: of })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((of) => ({ or: of })),
    tie('any').map((of) => ({ '!': [of] })),
    fc.tuple(tie('any'), tie('any'), tie('any')).map((of) => ({ if: of })),
  ),
})).any

const outcome = (names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(...names) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => ({ fractional: [[name, 100]] })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...names).map((name) => ({ fractional: [{ var: 'email' }, [name, 1], ['x', 0]] })),
    },
  )

const targeting = (names: readonly string[]) => {
  const chain: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    branch: fc.oneof({ depthSize: 'small' }, outcome(names), tie('chain')),
    chain: fc
      .tuple(
        fc.array(fc.tuple(condition, tie('branch')), { minLength: 1, maxLength: 3 }),
        fc.option(tie('branch'), { nil: undefined }),
      )
      .map(([pairs, otherwise]) => ({ if: [...pairs.flat(), ...(otherwise === undefined ? [] : [otherwise])] })),
  })).chain
  return fc.oneof({ weight: 4, arbitrary: chain }, { weight: 1, arbitrary: fc.constant({}) })
}

const variants = fc.constantFrom<Record<string, unknown>>(
  { on: true, off: false },
  { red: 'r', green: 'g', blue: 'b' },
  { small: 1, large: 10 },
  { full: { a: 1 }, none: {} },
  { only: 'one' },
  { a: 'same', b: 'same', c: 'other' },
)

const flag = variants.chain((values) => {
  const names = Object.keys(values)
  return fc.record({
    state: fc.constantFrom('ENABLED', 'ENABLED', 'ENABLED', 'DISABLED'),
    variants: fc.constant(values),
    defaultVariant: fc.constantFrom(...names, ...names, null),
    targeting: fc.oneof(
      { weight: 5, arbitrary: targeting(names) },
      { weight: names.includes('on') ? 1 : 0, arbitrary: fc.constant({}) },
    ),
  })
})

/** Conditions whose result names the variants true and false. */
const booleanFlag = condition.map((item) => ({
  state: 'ENABLED',
  variants: { true: true, false: false },
  defaultVariant: 'false',
  targeting: { '!': [item] },
}))

/** A flag set, with a part of targeting that flags share. */
export const flagdSets = fc
  .record({
    flags: fc.array(fc.oneof({ weight: 5, arbitrary: flag }, booleanFlag), { minLength: 1, maxLength: 3 }),
    shared: leaf,
  })
  .map(({ flags, shared }) => ({
    flags: Object.fromEntries(flags.map((item, index) => [`flag-${index}`, item])),
    $evaluators: { shared: JSON.stringify(shared).includes('$ref') ? { '==': [country, 'de'] } : shared },
  }))

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 })

/** Contexts as an application sends them: each attribute has its type, or is missing. */
export const flagdContexts: fc.Arbitrary<readonly EvaluationContext[]> = fc.array(
  fc
    .record({
      key: fc.constantFrom(...users),
      country: optional(fc.constantFrom(...countries)),
      email: optional(fc.constantFrom(...emails)),
      age: optional(fc.constantFrom(...ages)),
      beta: optional(fc.boolean()),
      version: optional(fc.constantFrom(...versions)),
      address: optional(fc.record({ country: optional(fc.constantFrom('de', 'us')) })),
    })
    .map((attributes) => ({ kind: 'user', ...attributes })),
  { minLength: 20, maxLength: 20 },
)
