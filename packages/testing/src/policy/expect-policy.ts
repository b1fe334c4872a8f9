import { policyError } from './policy-error.ts'
import { createPolicyEvaluator, type PolicyOptions } from './policy-evaluator.ts'
import { policyFailure, type Verdict } from './policy-failure.ts'
import type { PolicySource } from './policy-source.ts'
import type { ResourceAttributes } from './resource-from-text.ts'

/** A query with its expected result, e.g. `['updateOn', 'proj/web:env/test:flag/*', 'can']`. */
export type PolicyRow = readonly [action: string, resource: string, verdict: Verdict, about?: ResourceAttributes]

/**
 * The expectations of a test about a policy. Each method throws when the policy decides otherwise, and can be chained.
 * `action` is an action of the resource's kind (docs/decisions/0002-decide-access-by-policy.md#d17-actions), e.g.
 * `updateOn`. `resource` is one resource with its tags, properties and views: `proj/web:env/test:flag/checkout;beta`;
 * or `*` in place of a key, for every resource of that kind. `attributes` adds attributes of the last level where that
 * is easier to read: `{ tags: ['beta'] }`.
 */
export interface PolicyExpectation {
  /** Expects that the action is allowed; with `*`, on every such resource, whatever its key, tags and properties. */
  can(action: string, resource: string, attributes?: ResourceAttributes): PolicyExpectation
  /** Expects that the action is denied; with `*`, on every such resource, so that it is allowed on none. */
  cannot(action: string, resource: string, attributes?: ResourceAttributes): PolicyExpectation
  /** Expects that the action is denied on at least one of the resources that `*` represents. */
  cannotEvery(action: string, resource: string, attributes?: ResourceAttributes): PolicyExpectation
  /** Expects the results of many queries. All wrong rows are reported in one error. */
  table(rows: readonly PolicyRow[]): PolicyExpectation
}

/**
 * Starts expectations about the decisions of a policy (docs/decisions/0002-decide-access-by-policy.md#d15-policies),
 * without an engine and in any test runner.
 *
 * @param source a policy, or several that one caller has together: one that allows is sufficient.
 * @param options `roleAttributes` for policies with placeholders, `coverage` to count the statements that decide.
 * @throws TypeError when a statement is not well-formed. The methods throw a TypeError for an invalid query, such as
 *   one with a misspelled action, and otherwise a `PolicyError` that names the statement that decided.
 *
 * @example
 * ```ts
 * import { expectPolicy } from '@halyard/testing'
 *
 * expectPolicy([{ effect: 'allow', resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }])
 *   .can('updateOn', 'proj/web:env/test:flag/checkout')
 *   .cannot('updateOn', 'proj/web:env/production:flag/checkout')
 * ```
 */
export function expectPolicy(
  source: PolicySource | readonly PolicySource[],
  options: PolicyOptions = {},
): PolicyExpectation {
  const judge = createPolicyEvaluator(source, options)

  function createExpectation(verdict: Verdict) {
    return function assertVerdict(
      action: string,
      resource: string,
      attributes?: ResourceAttributes,
    ): PolicyExpectation {
      const failure = policyFailure(judge, { action, resource, verdict, attributes })
      if (failure) throw policyError(failure, assertVerdict)
      return expectations
    }
  }

  function table(rows: readonly PolicyRow[]): PolicyExpectation {
    if (rows.length === 0) throw new TypeError('table: must contain at least 1 row')
    const failures = rows.flatMap(([action, resource, verdict, attributes], index) => {
      const failure = policyFailure(judge, { action, resource, verdict, attributes })
      return failure ? [`row ${index + 1}: ${failure}`] : []
    })
    if (failures.length > 0) {
      throw policyError([`${failures.length} of ${rows.length} rows are wrong`, ...failures].join('\n'), table)
    }
    return expectations
  }

  const expectations = {
    can: createExpectation('can'),
    cannot: createExpectation('cannot'),
    cannotEvery: createExpectation('cannotEvery'),
    table,
  }
  return expectations
}
