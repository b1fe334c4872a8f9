import { actionsOf, compilePolicy, compileRole, type Explanation, explain, type Resource } from '@halyard/core/policy'
import { allowedException, type RoleAttributes } from './allowed-exception.ts'
import { type About, askedResource } from './asked-resource.ts'
import type { DecisionRecorder } from './coverage.ts'
import { type PolicySource, rolesOf } from './policy-source.ts'

/** Options of functions that evaluate a policy. */
export interface PolicyOptions {
  /** Values of `${roleAttribute/name}`. Default: none. */
  readonly roleAttributes?: RoleAttributes
  /** Records each decision, e.g. a `policyCoverage`. Default: none. */
  readonly coverage?: DecisionRecorder
}

/** The result of a query about one resource, or about every resource of a kind. */
export interface Judgement {
  /** The decision about all resources of the query, with its explanation. */
  readonly all: Explanation
  /** The explanation of one allowed resource, when the action is not allowed on all. */
  readonly exception: Explanation | undefined
}

export interface PolicyJudge {
  /** Names of the evaluated roles, as text for messages. */
  readonly name: string
  /**
   * Evaluates a query.
   * @throws TypeError when the text names no resource, or the resource's kind does not have the action.
   */
  judge(action: string, resource: string, about?: About): Judgement
}

/**
 * Compiles a policy for queries.
 * @param source a policy, or several that one caller has together.
 * @throws TypeError when a statement is not well-formed.
 */
export function policyJudge(source: PolicySource | readonly PolicySource[], options: PolicyOptions = {}): PolicyJudge {
  const { roleAttributes = {}, coverage } = options
  const roles = rolesOf(source)
  const policy = compilePolicy(roles.map((role) => compileRole(role, { roleAttributes })))
  return {
    name: roles.map(({ name }) => `\`${name}\``).join(' with '),
    judge(action, text, about) {
      const resource = askedResource(text, about)
      requireAction(action, resource)
      const all = explain(policy, action, resource)
      const exception = all.allowed ? undefined : allowedException(policy, action, resource, roleAttributes)
      for (const decision of exception ? [all, exception] : [all]) coverage?.record(decision)
      return { all, exception }
    },
  }
}

/** Every policy denies a misspelled action, so a test of that denial would always pass. */
function requireAction(action: string, resource: Resource): void {
  const { kind } = resource.at(-1) as Resource[number]
  const known = actionsOf(kind)
  if (known.includes(action)) return
  const like = known.filter((one) => one.slice(0, 8).toLowerCase() === action.slice(0, 8).toLowerCase())
  const listed = (like.length > 0 ? like : known).map((one) => `\`${one}\``).join(', ')
  throw new TypeError(`\`${action}\` is not an action of \`${kind}\`, whose actions include ${listed}`)
}
