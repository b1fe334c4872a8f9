import type { Explanation } from '@halyard/core/policy'
import type { PolicyEvaluator } from './policy-evaluator.ts'
import type { ResourceAttributes } from './resource-from-text.ts'

/**
 * The expected result of a query. For a single resource, `cannot` and `cannotEvery` are the same.
 * - `can`: the action is allowed; for `*`, on every such resource, whatever its key, tags and properties.
 * - `cannot`: the action is denied; for `*`, on every such resource, so that it is allowed on none.
 * - `cannotEvery`: the action is denied on at least one such resource. A change that concerns all of them is refused,
 *   such as a change of a flag's name, which concerns `env/*`.
 */
export type Verdict = 'can' | 'cannot' | 'cannotEvery'

export interface PolicyExpectationInput {
  readonly action: string
  readonly resource: string
  readonly verdict: Verdict
  readonly attributes?: ResourceAttributes
}

/**
 * Compares the decision of a policy with the expectation of a test.
 * @returns a message with the expectation, the statement that decided and what would have to change; undefined when the
 *   expectation is met.
 * @throws TypeError when the query is invalid.
 */
export function policyFailure(evaluator: PolicyEvaluator, expected: PolicyExpectationInput): string | undefined {
  const { action, resource } = expected
  const { all: overall, exception } = evaluator.evaluate(action, resource, expected.attributes)
  const target = (quantity: string) => `\`${action}\` on ${resource.includes('*') ? quantity : ''}\`${resource}\``
  switch (expected.verdict) {
    case 'can':
      return overall.allowed
        ? undefined
        : withReasons(`${evaluator.name} should allow ${target('every ')}`, overall, exception)
    case 'cannotEvery':
      return overall.allowed
        ? withReasons(`${evaluator.name} should not allow ${target('every ')}`, overall)
        : undefined
    case 'cannot':
      if (overall.allowed) return withReasons(`${evaluator.name} should not allow ${target('any ')}`, overall)
      return exception && withReasons(`${evaluator.name} should not allow ${target('any ')}`, exception)
    default:
      throw new TypeError(`\`${String(expected.verdict)}\` is not a verdict: use can, cannot or cannotEvery`)
  }
}

function withReasons(expectation: string, explanation: Explanation, exception?: Explanation): string {
  const { text, statement } = explanation
  return [
    expectation,
    `  but ${text}`,
    ...(statement ? [`  ${JSON.stringify(statement)}`] : []),
    ...(exception ? [`  though ${exception.text}`] : []),
  ].join('\n')
}
