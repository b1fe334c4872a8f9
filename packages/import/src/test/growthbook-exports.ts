import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'

/** Values of the attributes. All values of one attribute have the same type, as in applications. */
const countries = ['de', 'fr', 'DE', 'null', '']
const ages = [0, 5, 17, 18, 18.5, -1]
const versions = ['1.2.3', '1.2.4', '1.2.3-rc.1', '1.10.0', '2.0.0', '0.9.9']
const users = ['u1', 'u2', 'u3', 'stranger']
const tags = ['new', 'beta', '7']

const someOf = <T>(...pool: readonly T[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 3 })

const textOperator = fc.oneof(
  fc.constantFrom(...countries),
  fc.record({ $eq: fc.constantFrom(...countries, null) }),
  fc.record({ $ne: fc.constantFrom(...countries, null) }),
  fc.record({ $in: someOf<string | null>(...countries, null) }),
  fc.record({ $nin: someOf<string | null>(...countries, null) }),
  fc.record({ $ini: someOf('DE', 'Fr') }),
  fc.record({ $nini: someOf('de', 'fR') }),
  fc.record({ $regex: fc.constantFrom('^d', 'r$', 'l+', '[') }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $type: fc.constantFrom('string', 'null', 'number') }),
  fc.record({ $inGroup: fc.constantFrom('lands', 'listed', 'none') }),
  fc.record({ $notInGroup: fc.constantFrom('lands', 'listed', 'none') }),
)

const numberOperator = fc.oneof(
  fc.constantFrom(...ages),
  fc.record({ $eq: fc.constantFrom(...ages) }),
  fc.record({ $gt: fc.constantFrom(...ages), $lte: fc.constantFrom(...ages) }),
  fc.record({ $gte: fc.constantFrom(...ages) }),
  fc.record({ $lt: fc.constantFrom(...ages) }),
  fc.record({ $nin: someOf(...ages) }),
)

const versionOperator = fc
  .tuple(fc.constantFrom('$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'), fc.constantFrom(...versions, 'v1.2.3'))
  .map(([operator, version]) => ({ [operator]: version }))

const negatable = (operator: fc.Arbitrary<unknown>) => fc.oneof(operator, fc.record({ $not: operator }))

const attribute = fc.oneof(
  fc.record({ country: negatable(textOperator) }),
  fc.record({ 'address.city': textOperator }),
  fc.record({ age: negatable(numberOperator) }),
  fc.record({ employee: fc.oneof(fc.boolean(), fc.record({ $eq: fc.boolean() }), fc.record({ $ne: fc.boolean() })) }),
  fc.record({
    id: fc.oneof(
      fc.constantFrom(...users),
      fc.record({ $in: someOf(...users) }),
      fc.record({ $nin: someOf(...users) }),
    ),
  }),
)

const versioned = fc.record({ version: negatable(versionOperator) })
const listed = fc.oneof(
  fc.record({ tags: fc.record({ $all: someOf('new', 'beta') }) }),
  fc.record({ tags: fc.record({ $elemMatch: fc.record({ $in: someOf('new', 'beta') }) }) }),
)

const nested = (leaf: fc.Arbitrary<object>) =>
  fc.letrec<{ condition: object }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.tuple(leaf, leaf).map(([a, b]) => ({ ...a, ...b })),
      fc.record({ $or: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ $and: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ $nor: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ $not: tie('condition') }),
      fc.constantFrom<object>(
        { $savedGroup: { id: 'people' } },
        { $savedGroup: { id: 'adults' } },
        { $savedGroup: { id: 'people', attributeKey: 'country' } },
      ),
    ),
  })).condition

const savedGroups = {
  lands: ['de', 'fr'],
  listed: { type: 'list', attributeKey: 'country', values: ['DE', ''] },
  people: { type: 'list', attributeKey: 'id', values: ['u1', 'u2'] },
  adults: { type: 'condition', condition: { age: { $gte: 18 }, $not: { $savedGroup: { id: 'people' } } } },
}

const valuesOfTypes: readonly (readonly unknown[])[] = [
  [true, false],
  ['a', 'b', 'c', ''],
  [1, 2, 0.5],
  [{ a: 1 }, { a: 2 }, []],
]

function feature(condition: fc.Arbitrary<object>, parents: readonly string[]): fc.Arbitrary<object> {
  return fc.constantFrom(...valuesOfTypes).chain((values) => {
    const value = fc.constantFrom(...values)
    const gate = fc.record({
      id: fc.constantFrom(...parents, 'nowhere'),
      condition: fc.constantFrom(...gates),
      gate: fc.constant(true),
    })
    const rule = fc.record({ force: value, condition }, { requiredKeys: ['force'] })
    const fullOrNone = fc.record({ force: value, coverage: fc.constantFrom(0, 1) })
    const rules = fc.array(fc.oneof({ arbitrary: rule, weight: 5 }, { arbitrary: fullOrNone, weight: 1 }), {
      maxLength: 4,
    })
    const gated =
      parents.length > 0 ? fc.array(fc.record({ parentConditions: fc.tuple(gate) }), { maxLength: 1 }) : fc.constant([])
    return fc
      .record({ defaultValue: value, gated, rules })
      .map((parts) => ({ defaultValue: parts.defaultValue, rules: [...parts.gated, ...parts.rules] }))
  })
}

const gates = [{ value: true }, { value: false }, { value: 'a' }, { value: { $gt: 1 } }, { value: { $exists: true } }]

function payload(leaf: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const condition = nested(leaf)
  return fc
    .record({
      first: feature(condition, []),
      second: feature(condition, ['first']),
      'the third!': feature(condition, ['first', 'second', 'fourth']),
      fourth: feature(condition, ['the third!']),
    })
    .map((features) => ({ features, savedGroups }))
}

/** Payloads without shares. */
export const growthbookPayloads = payload(attribute)

/**
 * Payloads that also compare versions and lists. The evaluators agree on them only when the attributes have that form.
 */
export const growthbookPayloadsOfForms = payload(fc.oneof(attribute, versioned, listed))

/** Contexts whose attributes have the form that conditions test. */
export const growthbookContexts: fc.Arbitrary<EvaluationContext[]> = fc.array(
  fc.record(
    {
      kind: fc.constant('user'),
      key: fc.constantFrom(...users),
      country: fc.constantFrom(...countries),
      address: fc.record({ city: fc.constantFrom(...countries) }, { requiredKeys: [] }),
      age: fc.constantFrom(...ages),
      employee: fc.boolean(),
      version: fc.constantFrom(...versions),
      tags: someOf(...tags),
    },
    { requiredKeys: ['kind', 'key'] },
  ),
  { minLength: 30, maxLength: 30 },
)
