import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'

/** Values of each attribute, all of the type that applications give it. */
const countries = ['de', 'fr', 'us', 'DE', 'x']
const emails = ['ann@example.com', 'bob@EXAMPLE.org', 'kim', '']
const versions = ['1.2.3', '1.2.4', '1.2.3-rc.1', '2.0.0', '0.9.9', '1.2', 'none']
const addresses = ['10.1.2.3', '10.200.0.1', '192.168.1.17', '192.168.1.200', '8.8.8.8', 'somewhere']
const users = ['u1', 'u2', 'u3', 'stranger']
const ages = [0, 5, 17, 18, 18.5, 19, -1]

const someTexts = (...pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 3 })

const flags = { inverted: fc.boolean(), caseInsensitive: fc.boolean() }

const constraint = fc.oneof(
  fc.record({
    contextName: fc.constant('country'),
    operator: fc.constantFrom('IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
    values: someTexts(...countries, ' de ', ''),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('email'),
    operator: fc.constantFrom('STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS', 'IN', 'NOT_IN'),
    values: someTexts('@example.com', '@EXAMPLE.ORG', 'ann', 'kim', 'K', '.'),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('userId'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: someTexts(...users),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('18', '0', '17.5', 'many'),
    values: fc.constant([]),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: someTexts('18', '5', '17'),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('version'),
    operator: fc.constantFrom('SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT', 'SEMVER_GTE', 'SEMVER_LTE'),
    value: fc.constantFrom('1.2.3', '2.0.0', '1.2.3-rc.1', '1.2', 'v1.2.3'),
    values: fc.constant([]),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('remoteAddress'),
    operator: fc.constant('IN_CIDR'),
    values: someTexts('10.0.0.0/8', '192.168.1.0/25', '8.8.8.8'),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('email'),
    operator: fc.constant('REGEX'),
    value: fc.constantFrom('^ann@', '\\.(com|org)$', '^[a-z]+$', 'x{2,}'),
    values: fc.constant([]),
    inverted: fc.boolean(),
  }),
)

const percent = fc.constantFrom('0', '100', '100', '100')

const strategyKind = fc.oneof(
  fc.constant({ name: 'default', parameters: {} }),
  fc.record({
    name: fc.constant('userWithId'),
    parameters: someTexts(...users).map((ids) => ({ userIds: ids.join(', ') })),
  }),
  fc.record({
    name: fc.constant('flexibleRollout'),
    parameters: fc.record({
      rollout: percent,
      stickiness: fc.constantFrom('default', 'userId', 'sessionId', 'random'),
      groupId: fc.constant('g'),
    }),
  }),
  fc.record({
    name: fc.constantFrom('gradualRolloutUserId', 'gradualRolloutSessionId', 'gradualRolloutRandom'),
    parameters: percent.map((percentage) => ({ percentage, groupId: 'g' })),
  }),
  fc.record({
    name: fc.constant('remoteAddress'),
    parameters: someTexts('10.0.0.0/9', '192.168.1.0/26', '8.8.8.8', 'somewhere').map((ips) => ({
      IPs: ips.join(', '),
    })),
  }),
)

const payload = fc.option(
  fc.oneof(
    fc.record({ type: fc.constant('string'), value: fc.constantFrom('red', 'blue', '') }),
    fc.record({ type: fc.constant('number'), value: fc.constantFrom('1', '0', '2.5', 'none') }),
    fc.record({ type: fc.constant('json'), value: fc.constantFrom('{"a":1}', '[]', 'null', '{') }),
  ),
  { nil: undefined },
)

/** One variant has all the weight, so that the result does not depend on the hash. */
const variants = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), payload }), {
    selector: ({ name }) => name,
    maxLength: 3,
  })
  .chain((list) =>
    fc.record({ at: fc.nat(3), overridden: fc.nat(3), ids: someTexts(...users) }).map(({ at, overridden, ids }) =>
      list.map((item, index) => ({
        ...item,
        weight: index === at % list.length ? 1000 : 0,
        stickiness: 'default',
        ...(index === overridden ? { overrides: [{ contextName: 'userId', values: ids }] } : {}),
      })),
    ),
  )

const strategy = fc
  .record({
    kind: strategyKind,
    constraints: fc.array(constraint, { maxLength: 3 }),
    segments: fc.uniqueArray(fc.constantFrom(1, 2, 9), { maxLength: 1 }),
    variants: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, variants),
  })
  .map(({ kind, ...rest }) => ({ ...kind, ...rest }))

const feature = fc.record({
  type: fc.constantFrom('release', 'kill-switch'),
  enabled: fc.boolean().map((off) => !off || true),
  strategies: fc.array(strategy, { maxLength: 3 }),
  variants: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, variants),
  impressionData: fc.boolean(),
})

const dependency = fc.record({ enabled: fc.boolean(), variants: fc.constantFrom(undefined, ['a'], ['a', 'b']) })

/** Responses of `/api/client/features`: a few features, some of which depend on the first, and two segments. */
export const unleashClientFeatures = fc
  .record({
    features: fc.array(feature, { minLength: 1, maxLength: 4 }),
    off: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    dependencies: fc.array(fc.option(dependency, { nil: undefined, freq: 3 }), { minLength: 4, maxLength: 4 }),
    segments: fc.array(fc.array(constraint, { maxLength: 2 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ features, off, dependencies, segments }) => ({
    version: 2,
    features: features.map((item, at) => {
      const parent = at > 0 ? dependencies[at] : undefined
      return {
        ...item,
        name: `feature-${at}`,
        enabled: !(off[at] && off[(at + 1) % 4]),
        ...(parent ? { dependencies: [{ feature: 'feature-0', ...parent }] } : {}),
      }
    }),
    segments: segments.map((constraints, at) => ({ id: at + 1, name: `segment ${at}`, constraints })),
  }))

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 })

/** Contexts as an application sends them: each attribute has its type, or is missing. */
export const unleashContexts: fc.Arbitrary<readonly EvaluationContext[]> = fc.array(
  fc
    .record({
      key: fc.constantFrom(...users),
      country: optional(fc.constantFrom(...countries)),
      email: optional(fc.constantFrom(...emails)),
      age: optional(fc.constantFrom(...ages)),
      version: optional(fc.constantFrom(...versions)),
      remoteAddress: optional(fc.constantFrom(...addresses)),
      sessionId: optional(fc.constantFrom('s1', 's2')),
    })
    .map((attributes) => ({ kind: 'user', ...attributes })),
  { minLength: 20, maxLength: 20 },
)
