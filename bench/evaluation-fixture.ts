import type { EvaluationContext, FlagData, SegmentData } from '@halyard/core/evaluation'

/**
 * A person for whom the flag is evaluated. Half of the persons match a rule, a different rule each; the rollout applies
 * to the other half.
 */
export interface Person {
  readonly key: string
  readonly country: string
  readonly email: string
  readonly plan: string
  readonly age: number
}

const ordinary = { country: 'us', email: 'someone@mail.test', plan: 'free', age: 30 }

export const people: readonly Person[] = [
  { ...ordinary, key: 'user-0', country: 'fr' },
  { ...ordinary, key: 'user-1', email: 'ann@example.com' },
  { ...ordinary, key: 'user-2', plan: 'enterprise' },
  { ...ordinary, key: 'beta-7' },
  { ...ordinary, key: 'user-4' },
  { ...ordinary, key: 'user-5' },
  { ...ordinary, key: 'user-6' },
  { ...ordinary, key: 'user-7' },
]

/** Values for the persons who match a rule; the others get `blue` or `red`. */
export const ruleValues: readonly string[] = ['green', 'green', 'red', 'blue']

export const contexts: readonly EvaluationContext[] = people.map((person) => ({ kind: 'user', ...person }))

export const betaTesters = Array.from({ length: 50 }, (_, index) => `beta-${index}`)

export const segment: SegmentData = { key: 'beta', version: 1, salt: 'salt', included: betaTesters, rules: [] }

const clause = (attribute: string, op: string, ...values: (string | number)[]) => ({
  contextKind: 'user',
  attribute,
  op,
  values,
  negate: false,
})

/** Returns a flag with five rules, one of them with a segment of fifty keys, and a rollout for all others. */
export function flag(key: string): FlagData {
  return {
    key,
    version: 1,
    on: true,
    salt: 'salt',
    variations: ['blue', 'red', 'green'],
    offVariation: 0,
    prerequisites: [],
    targets: [],
    contextTargets: [],
    rules: [
      { id: 'country', variation: 2, clauses: [clause('country', 'in', 'de', 'fr', 'it')] },
      { id: 'email', variation: 2, clauses: [clause('email', 'endsWith', '@example.com')] },
      { id: 'plan', variation: 1, clauses: [clause('plan', 'in', 'enterprise')] },
      { id: 'age', variation: 1, clauses: [clause('age', 'lessThan', 18)] },
      { id: 'beta', variation: 0, clauses: [{ attribute: '', op: 'segmentMatch', values: ['beta'], negate: false }] },
    ],
    fallthrough: {
      rollout: {
        contextKind: 'user',
        variations: [
          { variation: 0, weight: 30_000 },
          { variation: 1, weight: 70_000 },
        ],
      },
    },
  }
}
