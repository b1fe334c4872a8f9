import type { Caller } from '../operation/caller.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { addressTemplate, type Resource } from '../rules/address.ts'
import type { Decision } from '../rules/policy/policy.ts'
import type { CallStorage } from '../storage/cached-reads.ts'
import type { ChangedDocument } from '../storage/changed-document.ts'
import { type Authority, resourceOf } from './access/authority.ts'
import type { AuthenticatedCall, AuthorizedCall, DecodedCall } from './call-state.ts'

interface AccessRule {
  /** Actions of which the caller needs one. */
  readonly actions: readonly string[]
  readonly template: ReturnType<typeof addressTemplate>
  /** The right to see the response, when it differs from the right to the operation. */
  readonly responseRule: AccessRule | undefined
  /** True when the body or the query names the resource, so that the rule is applied after they are decoded. */
  readonly needsInput: boolean
  readonly masked: boolean
}

/**
 * Access rules by operation id, for all engines with one design. The first call of an operation creates its rule:
 * creating all rules in advance would take most of the time that an engine needs to start.
 */
export type AccessRules = Map<string, AccessRule>

export interface AuthorizeParts {
  readonly accessRules: AccessRules
  readonly storage: CallStorage
}

/**
 * Stage 4: requires an action on the resource that the path names, before the body is read. Of several actions, the
 * first that the caller has is granted.
 */
export function authorize<C extends AuthenticatedCall>(
  pipeline: AuthorizeParts,
  call: C,
): (C & AuthorizedCall) | Promise<C & AuthorizedCall> {
  const rule = accessRuleOf(pipeline.accessRules, call.operation)
  if (!rule || rule.needsInput) return Object.assign(call, { grantedAction: undefined })
  const granted = requireRule(pipeline, rule, call, call.params)
  if (granted instanceof Promise) return granted.then((grantedAction) => Object.assign(call, { grantedAction }))
  return Object.assign(call, { grantedAction: granted })
}

/**
 * Authorizes an operation whose resource the body or the query names, after they are decoded and before the storage is
 * read.
 *
 * @returns a promise when the decision is asynchronous.
 */
export function authorizeInput(pipeline: AuthorizeParts, call: DecodedCall): Promise<unknown> | undefined {
  const rule = accessRuleOf(pipeline.accessRules, call.operation)
  if (!rule?.needsInput) return undefined
  const granted = requireRule(pipeline, rule, call, { ...call.params, ...inputValues(rule, call) })
  if (granted instanceof Promise) return granted.then((grantedAction) => Object.assign(call, { grantedAction }))
  Object.assign(call, { grantedAction: granted })
  return undefined
}

/** Returns the rule of an operation; undefined when every caller may call it. */
function accessRuleOf(rules: AccessRules, { id, access }: Operation): AccessRule | undefined {
  if ('open' in access || 'anonymous' in access) return undefined
  let rule = rules.get(id)
  if (rule === undefined) {
    rule = accessRule(access, access.shows && accessRule({ ...access.shows, masked: access.masked }, undefined))
    rules.set(id, rule)
  }
  return rule
}

function accessRule(
  { action, resource, masked = false }: { action: string | readonly string[]; resource: string; masked?: boolean },
  responseRule: AccessRule | undefined,
): AccessRule {
  return {
    actions: typeof action === 'string' ? [action] : action,
    template: addressTemplate(resource),
    needsInput: /\{(body|query)\./.test(resource),
    masked,
    responseRule,
  }
}

type Values = Readonly<Record<string, string>>

/** Returns the values of the template's `{body.…}` and `{query.…}` only, since a body can be long. */
function inputValues(rule: AccessRule, decoded: DecodedCall): Values {
  const values: Record<string, string> = {}
  for (const parameter of rule.template.parameters) {
    const [part, name] = parameter?.split('.') ?? []
    if (parameter === undefined || name === undefined) continue
    const properties = decoded[part as 'body' | 'query'] as Readonly<Record<string, unknown>>
    values[parameter] = String(properties[name])
  }
  return values
}

/** Returns the granted action, or fails. A write is refused only after a decision on uncached reads. */
function requireRule(
  { storage }: AuthorizeParts,
  rule: AccessRule,
  { operation, caller, view: { authority } }: AuthenticatedCall,
  values: Values,
): string | Promise<string> {
  if (operation.method === 'GET') return requireAction(authority, rule, caller, values)
  return storage.decide((reads) => requireAction(authority.over(reads), rule, caller, values))
}

/** Synchronous in the most common case: the caller has the first action and its policies test no stored attributes. */
function requireAction(
  authority: Authority,
  rule: AccessRule,
  caller: Caller,
  values: Values,
): string | Promise<string> {
  const resource = rule.template.resource(values)
  const [action] = rule.actions as readonly [string, ...string[]]
  const decision = authority.decide(caller, action, resource)
  if (!('allowed' in decision) || !decision.allowed) {
    return requireOneAction(authority, rule, caller, { values, resource, decision })
  }
  if (!rule.responseRule) return action
  const response = requireAction(authority, rule.responseRule, caller, values)
  return response instanceof Promise ? response.then(() => action) : action
}

/** The decision on the first action of a rule, and the resource that the values name. */
interface FirstDecision {
  readonly values: Values
  readonly resource: Resource
  readonly decision: Decision | Promise<Decision>
}

async function requireOneAction(
  authority: Authority,
  rule: AccessRule,
  caller: Caller,
  first: FirstDecision,
): Promise<string> {
  const { values, resource } = first
  const granted = await firstGranted(authority, rule, caller, first)
  if (granted === undefined) {
    const explanation = await explainRefusal(authority, caller, rule.actions, resource)
    return fail(rule.masked ? 'not_found' : 'forbidden', { explanation })
  }
  if (rule.responseRule) await requireAction(authority, rule.responseRule, caller, values)
  return granted
}

async function firstGranted(
  authority: Authority,
  rule: AccessRule,
  caller: Caller,
  { resource, decision }: FirstDecision,
): Promise<string | undefined> {
  const [first, ...others] = rule.actions
  if ((await decision).allowed) return first
  for (const action of others) {
    if ((await authority.decide(caller, action, resource)).allowed) return action
  }
  return undefined
}

/**
 * Requires the action of every property that a change modifies, on the document as it was before
 * (docs/decisions/0002-decide-access-by-policy.md#d17-actions): otherwise a caller who may edit tags could add a tag to
 * a resource to make their other rights apply to the resource.
 */
export async function authorizeChange(authority: Authority, caller: Caller, change: ChangedDocument): Promise<void> {
  const { collection, keys, before } = change
  if (change.concernsCaller) return
  const resource = resourceOf(caller, collection, keys, before)
  for (const action of change.actions) {
    if (!(await authority.decide(caller, action, resource)).allowed) {
      fail('forbidden', { explanation: await explainRefusal(authority, caller, [action], resource) })
    }
  }
}

/**
 * Explains a refusal as `Engine.explain` does. If one of several actions would have been sufficient, the first one is
 * explained.
 */
async function explainRefusal(
  authority: Authority,
  caller: Caller,
  actions: readonly string[],
  resource: Resource,
): Promise<string> {
  const [first] = actions as readonly [string, ...string[]]
  const { text } = await authority.explain(caller, first, resource)
  return actions.length === 1 ? text : `needs one of ${actions.join(', ')}; ${text}`
}
