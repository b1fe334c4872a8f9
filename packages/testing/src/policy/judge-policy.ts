import { actionsOf, compilePolicy, compileRole, type Explanation, explain, type Resource } from '@halyard/core/policy'
import { allowedException, type RoleAttributes } from './allowed-exception.ts'
import { type About, askedResource } from './asked-resource.ts'
import type { DecisionRecorder } from './coverage.ts'
import { type PolicySource, rolesOf } from './policy-source.ts'

/** What a policy is judged with. */
export interface PolicyOptions {
  /** What `${roleAttribute/name}` stands for. Default: nothing. */
  readonly roleAttributes?: RoleAttributes
  /** Is told of every decision, e.g. a `policyCoverage`. Default: nobody is. */
  readonly coverage?: DecisionRecorder
}

/** What a policy says to a question about one thing, or about every one of a kind. */
export interface Judgement {
  /** Whether the action is allowed for all that was asked about, and why. */
  readonly all: Explanation
  /** Why it is allowed for one of them, where it is not allowed for all. */
  readonly exception: Explanation | undefined
}

export interface PolicyJudge {
  /** The roles that are judged, in words. */
  readonly name: string
  /**
   * Answers a question.
   *
   * @throws TypeError when no resource is called that, or its kind has no such action.
   */
  judge(action: string, resource: string, about?: About): Judgement
}

/**
 * Makes a policy ready for questions.
 *
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

/** A misspelt action is denied by every policy, so a test of that denial would pass for ever. */
function requireAction(action: string, resource: Resource): void {
  const { kind } = resource.at(-1) as Resource[number]
  const known = actionsOf(kind)
  if (known.includes(action)) return
  const like = known.filter((one) => one.slice(0, 8).toLowerCase() === action.slice(0, 8).toLowerCase())
  const listed = (like.length > 0 ? like : known).map((one) => `\`${one}\``).join(', ')
  throw new TypeError(`\`${action}\` is no action on \`${kind}\`, which has ${listed}`)
}
