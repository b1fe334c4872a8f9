import {
  actionsOf,
  addressOf,
  type CompiledPolicy,
  compilePolicy,
  compileRole,
  decide,
  type Resource,
} from '@halyard/core/policy'
import { type PolicySource, rolesOf } from './policy-source.ts'
import { resourceFromText } from './resource-from-text.ts'

/** Actions whose decisions changed in the same way for the same resources. */
export interface PolicyChange {
  readonly actions: readonly string[]
  /** Addresses, e.g. `proj/web:env/production:flag/checkout`. */
  readonly resources: readonly string[]
}

/** The decisions that differ between two versions of a policy: newly allowed and newly denied ones. */
export interface PolicyDiff {
  readonly allowed: readonly PolicyChange[]
  readonly denied: readonly PolicyChange[]
  /** All changes as text. Newly denied decisions come first, because they break callers. */
  readonly text: string
}

/** The resources and role attributes with which two policies are compared. */
export interface DiffOptions {
  /**
   * Resources to compare: texts in the syntax of policies, e.g. `proj/web:env/test:flag/checkout;beta`, or resources
   * with the tags, properties and views that policies can refer to.
   */
  readonly resources: readonly (Resource | string)[]
  /** Values of `${roleAttribute/name}`. Default: no values. */
  readonly roleAttributes?: Readonly<Record<string, readonly string[]>>
}

/**
 * Returns the decisions that differ between two versions of a policy, newly allowed and newly denied
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies). Both versions decide every action on every resource
 * for whose kind the action exists.
 *
 * @param before a policy, or several policies that one caller has together. The same applies to `after`.
 * @throws TypeError when a statement is not well-formed, or a text does not name a resource.
 *
 * @example
 * ```ts
 * import { diffPolicies } from '@halyard/testing'
 *
 * const policyOf = (resource: string) => [{ effect: 'allow' as const, resources: [resource], actions: ['updateOn'] }]
 * const resources = ['proj/web:env/test:flag/checkout', 'proj/web:env/production:flag/checkout']
 * const { denied } = diffPolicies(policyOf('proj/web:env/*:flag/*'), policyOf('proj/web:env/test:flag/*'), { resources })
 * console.log(denied[0]?.resources) // [ 'proj/web:env/production:flag/checkout' ]
 * ```
 */
export function diffPolicies(
  before: PolicySource | readonly PolicySource[],
  after: PolicySource | readonly PolicySource[],
  { resources, roleAttributes = {} }: DiffOptions,
): PolicyDiff {
  const compile = (source: PolicySource | readonly PolicySource[]) =>
    compilePolicy(rolesOf(source).map((role) => compileRole(role, { roleAttributes })))
  const [old, changed] = [compile(before), compile(after)]
  const queriedResources = resources.map((resource) =>
    typeof resource === 'string' ? resourceFromText(resource) : resource,
  )
  const allowed = changesBetween(old, changed, queriedResources)
  const denied = changesBetween(changed, old, queriedResources)
  return { allowed, denied, text: textOf(allowed, denied) }
}

/**
 * Returns the decisions that only the second policy allows, grouped by kind and actions, in the order of the resources.
 */
function changesBetween(from: CompiledPolicy, to: CompiledPolicy, resources: readonly Resource[]): PolicyChange[] {
  const groups = new Map<string, { actions: readonly string[]; resources: Set<string> }>()
  for (const resource of resources) {
    const actions = actionsOf(kindOf(resource)).filter(
      (action) => !decide(from, action, resource).allowed && decide(to, action, resource).allowed,
    )
    if (actions.length === 0) continue
    const name = [kindOf(resource), ...actions].join(' ')
    const group = groups.get(name) ?? { actions, resources: new Set() }
    groups.set(name, group)
    group.resources.add(addressOf(resource))
  }
  return [...groups.values()].map((group) => ({ actions: group.actions, resources: [...group.resources] }))
}

function textOf(allowed: readonly PolicyChange[], denied: readonly PolicyChange[]): string {
  const sections = [...section('newly denied', denied), ...section('newly allowed', allowed)]
  return sections.length > 0 ? sections.join('\n') : 'no decision changes'
}

function section(title: string, changes: readonly PolicyChange[]): string[] {
  if (changes.length === 0) return []
  const groups = changes.flatMap(({ actions, resources }) => [
    `  ${actions.join(', ')}`,
    ...resources.map((address) => `    ${address}`),
  ])
  return [title, ...groups]
}

function kindOf(resource: Resource): string {
  return resource.at(-1)?.kind ?? ''
}
