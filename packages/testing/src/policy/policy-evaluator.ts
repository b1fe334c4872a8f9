import { actionsOf, compilePolicy, compileRole, type Explanation, explain, type Resource } from '@halyard/core/policy'
import { findAllowedResource, type RoleAttributes } from './allowed-resource.ts'
import type { DecisionRecorder } from './coverage.ts'
import { type PolicySource, rolesOf } from './policy-source.ts'
import { type ResourceAttributes, resourceFromText } from './resource-from-text.ts'

/** Options of functions that evaluate a policy. */
export interface PolicyOptions {
  /** Values of `${roleAttribute/name}`. Default: no values. */
  readonly roleAttributes?: RoleAttributes
  /** Records each decision, e.g. a `policyCoverage`. Default: decisions are not recorded. */
  readonly coverage?: DecisionRecorder
}

/** The result of a query about one resource, or about every resource of a kind. */
export interface PolicyEvaluation {
  /** The decision about all resources of the query, with its explanation. */
  readonly all: Explanation
  /** The explanation of one allowed resource, when the action is not allowed on all. */
  readonly exception: Explanation | undefined
}

export interface PolicyEvaluator {
  /** Names of the evaluated roles, as text for messages. */
  readonly name: string
  /**
   * Evaluates a query.
   * @throws TypeError when the text names no resource, or the resource's kind does not have the action.
   */
  evaluate(action: string, resource: string, attributes?: ResourceAttributes): PolicyEvaluation
}

/**
 * Compiles a policy for queries.
 * @param source a policy, or several that one caller has together.
 * @throws TypeError when a statement is not well-formed.
 */
export function createPolicyEvaluator(
  source: PolicySource | readonly PolicySource[],
  options: PolicyOptions = {},
): PolicyEvaluator {
  const { roleAttributes = {}, coverage } = options
  const roles = rolesOf(source)
  const policy = compilePolicy(roles.map((role) => compileRole(role, { roleAttributes })))
  return {
    name: roles.map(({ name }) => `\`${name}\``).join(' with '),
    evaluate(action, text, attributes) {
      const resource = resourceFromText(text, attributes)
      requireAction(action, resource)
      const all = explain(policy, action, resource)
      const exception = all.allowed ? undefined : findAllowedResource(policy, action, resource, roleAttributes)
      for (const decision of exception ? [all, exception] : [all]) coverage?.record(decision)
      return { all, exception }
    },
  }
}

/** Throws for a misspelled action. Every policy denies such an action, so a test of the denial would always pass. */
function requireAction(action: string, resource: Resource): void {
  const { kind } = resource.at(-1) as Resource[number]
  const actions = actionsOf(kind)
  if (actions.includes(action)) return
  const similar = actions.filter((name) => name.slice(0, 8).toLowerCase() === action.slice(0, 8).toLowerCase())
  const suggestions = (similar.length > 0 ? similar : actions).map((name) => `\`${name}\``).join(', ')
  throw new TypeError(`\`${action}\` is not an action of \`${kind}\`, whose actions include ${suggestions}`)
}
