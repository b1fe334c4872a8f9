import type { Explanation } from '@halyard/core/policy'
import type { About } from './asked-resource.ts'
import type { PolicyJudge } from './judge-policy.ts'

/**
 * The expected result of a query. For a single resource the last two are the same.
 * - `can`: the action is allowed; for `*`, on every such resource, whatever its key, tags and properties.
 * - `cannot`: the action is denied; for `*`, on every such resource, so that it is allowed on none.
 * - `cannotEvery`: the action is denied on at least one such resource. A change of all of them at once is refused, such
 *   as a change of a flag's name, which concerns `env/*`.
 */
export type Verdict = 'can' | 'cannot' | 'cannotEvery'

export interface Expected {
  readonly action: string
  readonly resource: string
  readonly verdict: Verdict
  readonly about?: About
}

/**
 * Compares the decision of a policy with the expectation of a test.
 * @returns a message with the expectation, the statement that decided and what would have to change; undefined when the
 *   expectation is met.
 * @throws TypeError when the query is invalid.
 */
export function policyFailure(judge: PolicyJudge, expected: Expected): string | undefined {
  const { action, resource } = expected
  const { all, exception } = judge.judge(action, resource, expected.about)
  const target = (quantity: string) => `\`${action}\` on ${resource.includes('*') ? quantity : ''}\`${resource}\``
  switch (expected.verdict) {
    case 'can':
      return all.allowed ? undefined : withReasons(`${judge.name} should allow ${target('every ')}`, all, exception)
    case 'cannotEvery':
      return all.allowed ? withReasons(`${judge.name} should not allow ${target('every ')}`, all) : undefined
    case 'cannot':
      if (all.allowed) return withReasons(`${judge.name} should not allow ${target('any ')}`, all)
      return exception && withReasons(`${judge.name} should not allow ${target('any ')}`, exception)
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
