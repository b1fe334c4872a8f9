import { type ServeDraft, type TargetingDraft, wholeWeight } from './draft.ts'

/** Returns true when a targeting has no part that the person still has to correct. */
export function isComplete({ fallthrough, rules, prerequisites }: TargetingDraft): boolean {
  return (
    [fallthrough, ...rules.map(({ serve }) => serve)].every(isWhole) &&
    rules.every(({ clauses }) => clauses.every(({ values }) => values.length > 0)) &&
    prerequisites.every(({ key, variationId }) => key !== '' && variationId !== '')
  )
}

/** Returns true when a rollout has shares of 100 % together. */
export function isWhole(serve: ServeDraft): boolean {
  return 'variationId' in serve || totalOf(serve.weights) === wholeWeight
}

/** Returns the sum of the weights of a rollout, in thousandths of a percent. */
export function totalOf(weights: Readonly<Record<string, number>>): number {
  return Object.values(weights).reduce((sum, weight) => sum + weight, 0)
}
