import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'

/** Values of each trait, all of the type that applications give it. */
const plans = ['gold', 'silver', 'Gold', 'go', '40', '']
const ages = [0, 5, 39, 40, 40.5, -1]
const versions = ['1.2.3', '1.2.4', '1.2.3-rc.1', '1.10.0', '2.0.0', '1.2', 'none']
const users = ['u1', 'u2', 'u3', 'stranger']

const someOf = (...pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1, maxLength: 3 })

const conditionOn = (property: string, operators: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ property_: fc.constant(property), operator: fc.constantFrom(...operators), value })

const setOrNot = ['IS_SET', 'IS_NOT_SET']
const bounds = ['GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE']

const condition = fc.oneof(
  conditionOn('plan', ['EQUAL', 'NOT_EQUAL', 'CONTAINS', 'NOT_CONTAINS'], fc.constantFrom(...plans)),
  conditionOn('plan', ['REGEX'], fc.constantFrom('^g', 'd$', '[a-f]', '(', '')),
  conditionOn(
    'plan',
    ['IN'],
    fc.oneof(
      someOf(...plans),
      someOf(...plans).map((list) => list.join(',')),
      someOf(...plans).map((list) => JSON.stringify(list)),
    ),
  ),
  conditionOn('age', ['EQUAL', 'NOT_EQUAL', ...bounds], fc.constantFrom('0', '5', '40', '40.5')),
  conditionOn(
    'age',
    ['IN'],
    someOf('0', '40', '5').map((list) => list.join(',')),
  ),
  conditionOn('version', ['EQUAL', ...bounds], fc.constantFrom('1.2.3:semver', '2.0.0:semver', '1.2.3-rc.1:semver')),
  conditionOn('version', ['NOT_EQUAL'], fc.constantFrom('1.2.3:semver', '1.2.3')),
  conditionOn('employee', ['EQUAL', 'NOT_EQUAL'], fc.constantFrom('true', 'false', 'True', 'False')),
  conditionOn(
    '$.identity.identifier',
    ['EQUAL', 'NOT_EQUAL', 'IN', 'CONTAINS', ...setOrNot],
    fc.constantFrom(...users),
  ),
  conditionOn('$.identity.traits.plan', ['EQUAL'], fc.constantFrom(...plans)),
  conditionOn('plan', setOrNot, fc.constant(null)),
  conditionOn('age', setOrNot, fc.constant('')),
)

const type = fc.constantFrom('ALL', 'ANY', 'NONE')

const rule = fc.letrec<{ rule: object }>((tie) => ({
  rule: fc.record({
    type,
    conditions: fc.array(condition, { maxLength: 3 }),
    rules: fc.oneof({ maxDepth: 2, depthSize: 'small' }, fc.constant([]), fc.array(tie('rule'), { maxLength: 2 })),
  }),
})).rule

/** Values of each feature, all of one type. */
const values: readonly (readonly (string | number | boolean | null)[])[] = [
  [null],
  ['red', 'blue', null],
  [1, 2, 3],
  [true],
]

const features = [1, 2, 3, 4].map((id) => ({ id, name: id === 3 ? 'the third!' : `feature_${id}`, type: 'STANDARD' }))

interface State {
  readonly feature: (typeof features)[number]
}

/** Returns random states of a feature. The value that means off occurs only in states that are off. */
const stateOf = (feature: (typeof features)[number]) =>
  fc
    .record({
      enabled: fc.boolean(),
      feature_state_value: fc.constantFrom(...(values[feature.id - 1] as (typeof values)[number])),
      priority: fc.option(fc.integer({ min: 0, max: 3 })),
    })
    .map(({ priority, enabled, feature_state_value }) => ({
      feature,
      enabled: enabled && (feature_state_value !== null || feature.id === 1),
      feature_state_value,
      django_id: feature.id,
      multivariate_feature_state_values: [],
      feature_segment: priority === null ? null : { priority },
    }))

const states = (maxLength: number) =>
  fc.uniqueArray(fc.oneof(...features.map((feature) => stateOf(feature) as fc.Arbitrary<State>)), {
    maxLength,
    selector: (state) => state.feature.id,
  })

const segment = (id: number) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constantFrom(`Segment ${id}`, `segment-${id}`, 'Segment'),
    rules: fc.array(rule, { maxLength: 2 }),
    feature_states: states(4),
  })

const identity = (identifier: string) =>
  fc.record({
    identifier: fc.constant(identifier),
    identity_features: states(3),
    identity_traits: fc.constant([]),
    environment_api_key: fc.constant('key'),
    created_date: fc.constant('2026-01-01T00:00:00Z'),
  })

/** Environment documents without shares. */
export const flagsmithDocuments = fc.record({
  id: fc.constant(1),
  api_key: fc.constant('key'),
  name: fc.constant('Production'),
  project: fc.record({
    id: fc.constant(1),
    name: fc.constant('shop'),
    hide_disabled_flags: fc.constant(false),
    organisation: fc.constant({
      id: 1,
      name: 'octo',
      feature_analytics: false,
      stop_serving_flags: false,
      persist_trait_data: true,
    }),
    segments: fc.tuple(segment(12), segment(2), segment(30)),
  }),
  feature_states: fc.tuple(...features.map(stateOf)),
  identity_overrides: fc.tuple(identity('u1'), identity('u2')),
})

/** Contexts whose traits have the type that conditions test. */
export const flagsmithContexts: fc.Arbitrary<EvaluationContext[]> = fc.array(
  fc.record(
    {
      kind: fc.constant('user'),
      key: fc.constantFrom(...users),
      plan: fc.constantFrom(...plans),
      age: fc.constantFrom(...ages),
      version: fc.constantFrom(...versions),
      employee: fc.boolean(),
    },
    { requiredKeys: ['kind', 'key'] },
  ),
  { minLength: 30, maxLength: 30 },
)
