import type { Decision, Statement } from '@halyard/core/policy'
import { type PolicySource, rolesOf } from './policy-source.ts'

/** Takes note of decisions. Whatever decides in tests can be given one. */
export interface DecisionRecorder {
  record(decision: Decision): void
}

/** Which statements of a policy decided something in tests. */
export interface PolicyCoverage extends DecisionRecorder {
  /** Statements that decided nothing so far, in the order of the policy. */
  untested(): readonly CoveredStatement[]
  /** All statements with how often each decided, as a text to print. */
  report(): string
}

/** How often a statement of a role decided. */
export interface CoveredStatement {
  /** Name of the role that it stands in. */
  readonly role: string
  /** Index of the statement in its role, from 0. */
  readonly index: number
  readonly statement: Statement
  /** How many recorded decisions it made. */
  readonly decisions: number
}

/**
 * Starts to count which statements of a policy decide.
 *
 * Hand it to what decides in the tests, and ask it when they are done: `expectPolicy(role, { coverage })`, then
 * `coverage.untested()`. A statement counts when it is the one that decided, the first of its role to speak. So one
 * that only ever speaks beside another stays untested, and `lintPolicy` may tell why.
 *
 * @param source a policy, or several that one caller has together. Decisions of other policies are not counted.
 * @throws TypeError when a statement is not well-formed.
 *
 * @example
 * ```ts
 * import { expectPolicy, policyCoverage } from '@halyard/testing'
 *
 * const role = {
 *   name: 'tester',
 *   policy: [
 *     { effect: 'allow' as const, resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] },
 *     { effect: 'deny' as const, resources: ['proj/web:env/test:flag/billing'], actions: ['*'] },
 *   ],
 * }
 * const coverage = policyCoverage(role)
 * expectPolicy(role, { coverage }).can('updateOn', 'proj/web:env/test:flag/checkout')
 * console.log(coverage.untested().length) // 1
 * ```
 */
export function policyCoverage(source: PolicySource | readonly PolicySource[]): PolicyCoverage {
  const covered = rolesOf(source).flatMap(({ name, statements }) =>
    statements.map((statement, index) => ({ role: name, index, statement, text: textOf(statement), decisions: 0 })),
  )
  return {
    record({ role, index, statement }) {
      if (!statement) return
      // By text, not by identity: a policy that went through a storage comes back as another object.
      const text = textOf(statement)
      const same = covered.filter((one) => one.index === index && one.text === text)
      const one = same.find((candidate) => candidate.role === role) ?? same[0]
      if (one) one.decisions++
    },
    untested: () =>
      covered
        .filter(({ decisions }) => decisions === 0)
        .map(({ role, index, statement, decisions }) => ({ role, index, statement, decisions })),
    report() {
      const tested = covered.filter(({ decisions }) => decisions > 0).length
      const lines = covered.map(
        ({ role, index, text, decisions }) =>
          `  ${decisions === 0 ? 'UNTESTED' : `${decisions}x`.padStart(8)}  statement ${index + 1} of ${role}: ${text}`,
      )
      return [`${tested} of ${covered.length} statements decided in tests`, ...lines].join('\n')
    },
  }
}

/** A statement in one line; two have the same one when they say the same in the same words. */
function textOf({ effect, resources = [], notResources = [], actions = [], notActions = [] }: Statement): string {
  const what = actions.length > 0 ? actions.join(', ') : `all but ${notActions.join(', ')}`
  const where = resources.length > 0 ? resources.join(', ') : `all but ${notResources.join(', ')}`
  return `${effect} ${what} on ${where}`
}
