import type { Explanation } from '@halyard/core/policy'
import type { About } from './asked-resource.ts'
import type { PolicyJudge } from './judge-policy.ts'

/**
 * What a test says of a policy. For one thing the last two are the same.
 *
 * - `can`: it is allowed; asked about `*`, for every such thing, whatever its key, tags and properties.
 * - `cannot`: it is denied; asked about `*`, for every such thing, so that there is none for which it is allowed.
 * - `cannotEvery`: it is not allowed for every such thing, but may be for some. A change that concerns all of them at
 *   once is refused, such as one of a flag's name: that concerns `env/*`.
 */
export type Verdict = 'can' | 'cannot' | 'cannotEvery'

export interface Expected {
  readonly action: string
  readonly resource: string
  readonly verdict: Verdict
  readonly about?: About
}

/**
 * Compares what a policy says with what a test expects of it.
 *
 * @returns what is wrong, in words: what was expected, which statement decided, and what comes nearest; undefined when
 *   nothing is.
 * @throws TypeError when the question makes no sense.
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
      throw new TypeError(`\`${String(expected.verdict)}\` is no verdict: write can, cannot or cannotEvery`)
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
