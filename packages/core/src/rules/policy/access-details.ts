import type { Resource } from '../address.ts'
import { type CompiledPolicy, type Decision, decide } from './policy.ts'
import type { Statement } from './statement.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/**
 * The `_access` property of a response: actions on a resource that are allowed and denied to the caller, each with its
 * reason (docs/specification.md, docs/decisions/0002-decide-access-by-policy.md#d18-access-details).
 */
export interface AccessDetails {
  denied: AccessEntry[]
  allowed: AccessEntry[]
}

export interface AccessEntry {
  action: string
  reason: AccessReason
}

/**
 * The deciding statement as it is written, with the name of its role. If no statement applies to the action: a deny
 * with four empty lists and an empty name.
 */
export interface AccessReason {
  effect: Statement['effect']
  resources?: string[]
  notResources?: string[]
  actions?: string[]
  notActions?: string[]
  role_name: string
}

/**
 * Splits the actions of a resource's kind by the decision of a policy on each
 * (docs/decisions/0002-decide-access-by-policy.md#d18-access-details).
 *
 * @param resource the resource, with the attributes that `policy.needs` names; its kind is the kind of its last level.
 * @param vocabulary lists the actions of the kind.
 * @returns a new object, which belongs to the caller.
 */
export function accessOf(policy: CompiledPolicy, resource: Resource, vocabulary: PolicyVocabulary): AccessDetails {
  const access: AccessDetails = { denied: [], allowed: [] }
  const decisions = decisionsOf(policy, resource, vocabulary)
  for (const [index, action] of vocabulary.actionsOf(resource.at(-1)?.kind ?? '').entries()) {
    const decision = decisions[index] as Decision
    access[decision.allowed ? 'allowed' : 'denied'].push({ action, reason: reasonOf(decision) })
  }
  return access
}

/**
 * Returns the decision of a policy on each action of a resource's kind. All decisions by one statement are the same
 * object, so two resources of a kind whose decisions are the same objects have equal access details.
 *
 * @param resource the resource, with the attributes that `policy.needs` names; its kind is the kind of its last level.
 * @param vocabulary lists the actions of the kind.
 */
export function decisionsOf(
  policy: CompiledPolicy,
  resource: Resource,
  { actionsOf }: PolicyVocabulary,
): readonly Decision[] {
  return actionsOf(resource.at(-1)?.kind ?? '').map((action) => decide(policy, action, resource))
}

function reasonOf({ statement, role }: Decision): AccessReason {
  if (statement === undefined || role === undefined) {
    return { effect: 'deny', resources: [], notResources: [], actions: [], notActions: [], role_name: '' }
  }
  const { effect, resources, notResources, actions, notActions } = statement
  return {
    effect,
    ...(resources && { resources: [...resources] }),
    ...(notResources && { notResources: [...notResources] }),
    ...(actions && { actions: [...actions] }),
    ...(notActions && { notActions: [...notActions] }),
    role_name: role,
  }
}
