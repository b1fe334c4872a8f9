import fc from 'fast-check'
import { parse, stringify } from 'yaml'

/** Segments and flags of a file, in the order in which `pull` writes them. */
export interface GeneratedParts {
  readonly segments: object
  readonly flags: object
}

const name = fc.constantFrom('Alpha', 'Beta: 2', '# Gamma', "it's", 'yes', '1e3', ' padded', 'multi\nline')
const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
const keys = fc.uniqueArray(fc.constantFrom('ann', 'bob', 'cem', '007', 'null'), { minLength: 1, maxLength: 3 })
const chance = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { nil: undefined })
const onlyTrue = chance(fc.constant(true))

const attributeClause = fc.record({
  attribute: fc.constantFrom('country', 'plan'),
  contextKind: chance(fc.constant('org')),
  negate: onlyTrue,
  op: fc.constantFrom('in', 'startsWith'),
  values: keys,
})
const numberClause = fc.record({
  attribute: fc.constant('age'),
  op: fc.constant('lessThan'),
  values: fc.constant([18]),
})
const clauses = (segments: readonly string[]) =>
  fc.array(
    fc.oneof(
      attributeClause,
      numberClause,
      ...segments.map((key) => fc.constant({ attribute: 'segmentMatch', op: 'segmentMatch', values: [key] })),
    ),
    { minLength: 1, maxLength: 2 },
  )

const variation = fc.nat({ max: 1 })
const serve = fc.oneof(
  fc.record({ variation }),
  fc.nat({ max: 100_000 }).map((weight) => ({
    rollout: {
      variations: [
        { variation: 0, weight },
        { variation: 1, weight: 100_000 - weight },
      ],
    },
  })),
)

/** Returns an object without the properties that are undefined, and without empty ones. */
function present(properties: object): object {
  const isPresent = (value: unknown) =>
    value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => isPresent(value)))
}

function sorted(properties: object): object {
  return Object.fromEntries(Object.entries(present(properties)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const rules = (segments: readonly string[]) =>
  fc.array(
    fc
      .record({ clauses: clauses(segments), description: chance(name), serve, trackEvents: onlyTrue })
      .map(({ serve: served, clauses: list, ...rule }) => sorted({ ...rule, ...served, clauses: list.map(present) })),
    { maxLength: 2 },
  )

/** Keys that are targets of one variation each. */
const targets = (contextKind: string | undefined) =>
  fc.record({ first: chance(keys), rest: fc.nat({ max: 1 }) }).map(({ first, rest }) => {
    if (!first) return []
    return [sorted({ contextKind, values: first, variation: rest })]
  })

const config = (segments: readonly string[], prerequisites: readonly string[]) =>
  fc
    .record({
      on: fc.boolean(),
      offVariation: chance(variation),
      fallthrough: serve,
      targets: targets(undefined),
      contextTargets: targets('org'),
      rules: rules(segments),
      prerequisites: fc.subarray([...prerequisites]).map((list) => list.map((key) => ({ key, variation: 0 }))),
      trackEvents: onlyTrue,
      trackEventsFallthrough: onlyTrue,
    })
    .map(present)

/**
 * Only the last flag gets and loses variations, because a flag that is a prerequisite of another flag must keep its
 * variations.
 */
const lastKey = 'd_4'

const flag = (key: string, segments: Readonly<Record<string, readonly string[]>>, prerequisites: readonly string[]) =>
  fc
    .record({
      name,
      description: chance(name),
      tags,
      temporary: fc.boolean(),
      deprecated: onlyTrue,
      variations: fc
        .uniqueArray(fc.constantFrom('x', 'y', 'true', '3'), { minLength: 2, maxLength: key === lastKey ? 3 : 2 })
        .chain((values) =>
          fc.tuple(
            ...values.map((value) => fc.record({ name: chance(name) }).map((other) => sorted({ ...other, value }))),
          ),
        ),
      defaults: fc.record({ offVariation: variation, onVariation: variation }),
      clientSideAvailability: fc.record({ usingEnvironmentId: fc.boolean(), usingMobileKey: fc.boolean() }),
      customProperties: fc.dictionary(
        fc.constantFrom('jira', 'owner'),
        keys.map((value) => ({ name: 'Custom', value })),
      ),
      environments: fc.record({
        production: config(segments.production ?? [], prerequisites),
        test: config(segments.test ?? [], prerequisites),
      }),
    })
    .map(({ customProperties, ...properties }) => {
      const { environments, ...others } = properties
      return { ...present({ ...others, customProperties: sorted(customProperties) }), environments }
    })

const segment = fc
  .record({
    name,
    description: chance(name),
    tags,
    included: chance(keys),
    excluded: chance(fc.constant(['dan'])),
    includedContexts: chance(keys.map((values) => [{ contextKind: 'org', values }])),
    rules: fc.array(
      fc
        .record({ clauses: clauses([]), weight: chance(fc.nat({ max: 100_000 })) })
        .map(({ clauses: list, weight }) => sorted({ clauses: list.map(present), weight })),
      { maxLength: 2 },
    ),
  })
  .map(present)

const segmentKeys = fc.subarray(['beta', 'vip'])
const flagKeys = fc.subarray(['a1', 'b-2', 'c.3', lastKey], { minLength: 1 })

/** Segments of two environments, and flags that refer to them and to the flags before them. */
export const generatedParts: fc.Arbitrary<GeneratedParts> = fc
  .record({ production: segmentKeys, test: segmentKeys, flags: flagKeys })
  .chain(({ flags, ...segments }) =>
    fc.record({
      segments: fc
        .record({
          production: fc.record(Object.fromEntries(segments.production.map((key) => [key, segment]))),
          test: fc.record(Object.fromEntries(segments.test.map((key) => [key, segment]))),
        })
        .map(present),
      flags: fc.record(
        Object.fromEntries(flags.map((key, index) => [key, flag(key, segments, flags.slice(0, index))])),
      ),
    }),
  )

/** Returns a pulled file of a project without flags, with other segments and flags. */
export function editedFile(pulled: string, { segments, flags }: GeneratedParts): string {
  const header = pulled.slice(0, pulled.indexOf('version:'))
  const file = { ...parse(pulled), ...(Object.keys(segments).length > 0 && { segments }), flags }
  return header + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })
}
