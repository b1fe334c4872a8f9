import { createPolicyEvaluator, type PolicyOptions } from './policy-evaluator.ts'
import { policyFailure, type Verdict } from './policy-failure.ts'
import type { PolicySource } from './policy-source.ts'
import type { ResourceAttributes } from './resource-from-text.ts'

/**
 * The matchers in the form in which tests call them: `expect(role).toAllow(…)`. This type extends the types of a test
 * runner.
 */
export interface PolicyMatchers<Result = unknown> {
  /**
   * Passes when the policy allows the action; with `*` in the resource, on every such resource. `.not`: denied on at
   * least one.
   */
  toAllow(action: string, resource: string, attributes?: ResourceAttributes & PolicyOptions): Result
  /**
   * Passes when the policy denies the action; with `*` in the resource, on every such resource. `.not`: allowed on at
   * least one.
   */
  toDeny(action: string, resource: string, attributes?: ResourceAttributes & PolicyOptions): Result
}

interface MatcherResult {
  readonly pass: boolean
  message(): string
}

type ReceivedPolicies = PolicySource | readonly PolicySource[]
type Matcher = (
  received: ReceivedPolicies,
  action: string,
  resource: string,
  attributes?: ResourceAttributes & PolicyOptions,
) => MatcherResult

/**
 * Matchers for `expect.extend(policyMatchers)` of vitest and jest, with the same results as `expectPolicy`.
 *
 * @example
 * ```ts
 * import { policyMatchers } from '@halyard/testing'
 *
 * // In a test: expect.extend(policyMatchers), then expect(policy).toAllow('updateOn', 'proj/web:env/test:flag/checkout')
 * const policy = [{ effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }]
 * console.log(policyMatchers.toAllow(policy, 'updateOn', 'proj/web:env/test:flag/checkout').pass) // true
 * ```
 */
export const policyMatchers: Readonly<Record<keyof PolicyMatchers, Matcher>> = {
  toAllow: matcher('can', 'cannotEvery'),
  toDeny: matcher('cannot', 'can'),
}

/** Returns a matcher. The runner calls `message` when the matcher failed, or passed after `.not`. */
function matcher(verdict: Verdict, opposite: Verdict): Matcher {
  return (received, action, resource, attributes = {}) => {
    const evaluator = createPolicyEvaluator(received, attributes)
    const failure = policyFailure(evaluator, { action, resource, verdict, attributes })
    const message = () => failure ?? policyFailure(evaluator, { action, resource, verdict: opposite, attributes }) ?? ''
    return { pass: failure === undefined, message }
  }
}
