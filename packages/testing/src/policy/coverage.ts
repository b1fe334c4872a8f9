import type { Decision, Statement } from '@halyard/core/policy'
import { type PolicySource, rolesOf } from './policy-source.ts'

/** Records decisions. Pass it to an engine or a matcher in tests. */
export interface DecisionRecorder {
  record(decision: Decision): void
}

/** The statements of a policy with the number of decisions that each made in tests. */
export interface PolicyCoverage extends DecisionRecorder {
  /** Statements that have made no decision so far, in the order of the policy. */
  untested(): readonly CoveredStatement[]
  /** Returns all statements with their numbers of decisions as printable text. */
  report(): string
}

/** A statement of a role with its number of decisions. */
export interface CoveredStatement {
  /** Name of the role that contains the statement. */
  readonly role: string
  /** Index of the statement in its role, from 0. */
  readonly index: number
  readonly statement: Statement
  /** Number of recorded decisions that the statement made. */
  readonly decisions: number
}

/**
 * Starts to count the decisions of each statement of a policy.
 *
 * Pass it to the engines or matchers that decide in the tests, and read it afterwards: `expectPolicy(role, { coverage
 * })`, then `coverage.untested()`. Each decision counts for one statement of each role: the first that applies. A
 * statement that only ever applies after another one stays untested; `lintPolicy` may report the reason.
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
  const entries = rolesOf(source).flatMap(({ name, statements }) =>
    statements.map((statement, index) => ({ role: name, index, statement, text: textOf(statement), decisions: 0 })),
  )
  return {
    record({ role, index, statement }) {
      if (!statement) return
      // Statements are compared by text, because a policy that was stored is a different object.
      const text = textOf(statement)
      const matches = entries.filter((entry) => entry.index === index && entry.text === text)
      const entry = matches.find((candidate) => candidate.role === role) ?? matches[0]
      if (entry) entry.decisions++
    },
    untested: () =>
      entries
        .filter(({ decisions }) => decisions === 0)
        .map(({ role, index, statement, decisions }) => ({ role, index, statement, decisions })),
    report() {
      const tested = entries.filter(({ decisions }) => decisions > 0).length
      const lines = entries.map(
        ({ role, index, text, decisions }) =>
          `  ${decisions === 0 ? 'UNTESTED' : `${decisions}x`.padStart(8)}  statement ${index + 1} of ${role}: ${text}`,
      )
      return [`${tested} of ${entries.length} statements decided in tests`, ...lines].join('\n')
    },
  }
}

/** Returns a statement as one line. Statements with the same content have the same line. */
function textOf({ effect, resources = [], notResources = [], actions = [], notActions = [] }: Statement): string {
  const actionText = actions.length > 0 ? actions.join(', ') : `all but ${notActions.join(', ')}`
  const resourceText = resources.length > 0 ? resources.join(', ') : `all but ${notResources.join(', ')}`
  return `${effect} ${actionText} on ${resourceText}`
}
