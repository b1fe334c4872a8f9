import type { About } from './asked-resource.ts'
import { type PolicyOptions, policyJudge } from './judge-policy.ts'
import { policyError } from './policy-error.ts'
import { policyFailure, type Verdict } from './policy-failure.ts'
import type { PolicySource } from './policy-source.ts'

/** A query with its expected result, e.g. `['updateOn', 'proj/web:env/test:flag/*', 'can']`. */
export type PolicyRow = readonly [action: string, resource: string, verdict: Verdict, about?: About]

/**
 * The expectations of a test about a policy. Each method throws when the policy decides otherwise, and can be chained.
 * `action` is an action of the resource's kind (D17), e.g. `updateOn`. `resource` is one resource with its tags,
 * properties and views: `proj/web:env/test:flag/checkout;beta`; or `*` in place of a key, for every resource of that
 * kind. `attributes` adds attributes of the last level where that is easier to read: `{ tags: ['beta'] }`.
 */
export interface PolicyExpectation {
  /** Expects that the action is allowed; with `*`, on every such resource, whatever its key, tags and properties. */
  can(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects that the action is denied; with `*`, on every such resource, so that it is allowed on none. */
  cannot(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects that the action is denied on at least one of the resources that `*` represents. */
  cannotEvery(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects the results of many queries. All wrong rows are reported in one error. */
  table(rows: readonly PolicyRow[]): PolicyExpectation
}

/**
 * Says what a policy must allow and deny (D15), without an engine and in any test runner.
 *
 * @param source a policy, or several that one caller has together: any one that allows is enough.
 * @param options `roleAttributes` for policies with placeholders, `coverage` to count the statements that decide.
 * @throws TypeError when a statement is not well-formed; from the members also when a question makes no sense, such as
 *   a misspelt action; otherwise they throw a `PolicyError` that names the statement that decided.
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
  const judge = policyJudge(source, options)

  function expectation(verdict: Verdict) {
    return function expected(action: string, resource: string, about?: About): PolicyExpectation {
      const failure = policyFailure(judge, { action, resource, verdict, about })
      if (failure) throw policyError(failure, expected)
      return all
    }
  }

  function table(rows: readonly PolicyRow[]): PolicyExpectation {
    if (rows.length === 0) throw new TypeError('table: must contain at least 1 row')
    const failures = rows.flatMap(([action, resource, verdict, about], index) => {
      const failure = policyFailure(judge, { action, resource, verdict, about })
      return failure ? [`row ${index + 1}: ${failure}`] : []
    })
    if (failures.length > 0) {
      throw policyError([`${failures.length} of ${rows.length} rows are wrong`, ...failures].join('\n'), table)
    }
    return all
  }

  const all = {
    can: expectation('can'),
    cannot: expectation('cannot'),
    cannotEvery: expectation('cannotEvery'),
    table,
  }
  return all
}
