import type { About } from './asked-resource.ts'
import { type PolicyOptions, policyJudge } from './judge-policy.ts'
import { policyError } from './policy-error.ts'
import { policyFailure, type Verdict } from './policy-failure.ts'
import type { PolicySource } from './policy-source.ts'

/** A question with the answer that it should get, e.g. `['updateOn', 'proj/web:env/test:flag/*', 'can']`. */
export type PolicyRow = readonly [action: string, resource: string, verdict: Verdict, about?: About]

/**
 * What a test expects of a policy; each member throws when it is not so, and can be followed by the next.
 *
 * `action` is one of the resource's kind (D17), e.g. `updateOn`. `resource` is one thing, with the tags, properties
 * and views that it has: `proj/web:env/test:flag/checkout;beta`; or `*` in place of a key, for every such thing.
 * `about` gives what the last level has where that is easier to read: `{ tags: ['beta'] }`.
 */
export interface PolicyExpectation {
  /** Expects that the action is allowed; with `*`, for every such thing, whatever its key, tags and properties. */
  can(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects that the action is denied; with `*`, for every such thing, so that there is none that it is allowed for. */
  cannot(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects that the action is not allowed for every such thing; it may be for some. */
  cannotEvery(action: string, resource: string, about?: About): PolicyExpectation
  /** Expects many answers at once; when some are wrong, all of these are reported together. */
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
    if (rows.length === 0) throw new TypeError('a table without rows expects nothing')
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
