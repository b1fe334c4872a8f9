import type { Explanation } from '@halyard/core/policy'
import { createPolicyEvaluator, type PolicyOptions } from './policy-evaluator.ts'
import type { PolicySource } from './policy-source.ts'
import type { ResourceAttributes } from './resource-from-text.ts'

/**
 * Returns the decision of a policy and its reasons: the statement that decided, and the condition that comes nearest to
 * allowing the action.
 *
 * @param source a policy, or several that one caller has together.
 * @param query `resource` as in `expectPolicy`, e.g. `proj/web:env/test:flag/checkout;beta`.
 * @throws TypeError when a statement is not well-formed, or the query is invalid.
 *
 * @example
 * ```ts
 * import { explainPolicy } from '@halyard/testing'
 *
 * const policy = [{ effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }]
 * const { allowed } = explainPolicy(policy, { action: 'updateOn', resource: 'proj/web:env/production:flag/checkout' })
 * console.log(allowed) // false
 * ```
 */
export function explainPolicy(
  source: PolicySource | readonly PolicySource[],
  query: { readonly action: string; readonly resource: string } & ResourceAttributes,
  options: PolicyOptions = {},
): Explanation {
  return createPolicyEvaluator(source, options).evaluate(query.action, query.resource, query).all
}
