import type { Caller } from '../operation/caller.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { addressTemplate, type Resource } from '../rules/address.ts'
import type { ChangedDocument } from '../storage/changed-document.ts'
import { type Authority, resourceOf } from './authority.ts'
import type { Decoded } from './decode.ts'

interface DoorRule {
  readonly actions: readonly string[]
  readonly template: ReturnType<typeof addressTemplate>
  /** The right to see what the answer shows, where it is another than the right to the operation. */
  readonly shown: DoorRule | undefined
  /** The body or the query names the thing, so the door can open only once they are read. */
  readonly needsInput: boolean
  readonly masked: boolean
}

/**
 * The rules of operations by their ids, for all engines of one design. Each is made with the first call of its operation:
 * all at once would be most of the time in which an engine is made.
 */
export type DoorRules = Map<string, DoorRule>

/** The rule of an operation; none where the door is open. */
function ruleOf(rules: DoorRules, { id, access }: Operation): DoorRule | undefined {
  if ('open' in access) return undefined
  let rule = rules.get(id)
  if (rule === undefined) {
    rule = doorRule(access, access.shows && doorRule({ ...access.shows, masked: access.masked }, undefined))
    rules.set(id, rule)
  }
  return rule
}

function doorRule(
  { action, resource, masked = false }: { action: string | readonly string[]; resource: string; masked?: boolean },
  shown: DoorRule | undefined,
): DoorRule {
  return {
    actions: typeof action === 'string' ? [action] : action,
    template: addressTemplate(resource),
    needsInput: /\{(body|query)\./.test(resource),
    masked,
    shown,
  }
}

type Values = Readonly<Record<string, string>>

/**
 * Door 5: may the caller do this, as far as the path tells? Nothing of the body has been read yet.
 *
 * @returns the action that let the caller in; of several that would do the first that they have.
 */
export function authorize(
  authority: Authority,
  rules: DoorRules,
  operation: Operation,
  caller: Caller,
  params: Values,
): Promise<string> | undefined {
  const rule = ruleOf(rules, operation)
  return rule && !rule.needsInput ? demandOne(authority, rule, caller, params) : undefined
}

/** The same for a thing that the body or the query names, once they are known and before anything is looked up. */
export function authorizeNamed(
  authority: Authority,
  rules: DoorRules,
  operation: Operation,
  caller: Caller,
  params: Values,
  decoded: Decoded,
): Promise<string> | undefined {
  const rule = ruleOf(rules, operation)
  if (!rule?.needsInput) return undefined
  return demandOne(authority, rule, caller, { ...params, ...namedValues(rule, decoded) })
}

/** The values of the template's `{body.…}` and `{query.…}`; only these, since a body can be long. */
function namedValues(rule: DoorRule, decoded: Decoded): Values {
  const values: Record<string, string> = {}
  for (const parameter of rule.template.parameters) {
    const [part, name] = parameter?.split('.') ?? []
    if (parameter === undefined || name === undefined) continue
    const members = decoded[part as keyof Decoded] as Readonly<Record<string, unknown>>
    values[parameter] = String(members[name])
  }
  return values
}

async function demandOne(authority: Authority, rule: DoorRule, caller: Caller, values: Values): Promise<string> {
  const resource = rule.template.resource(values)
  const granted = await grantedOf(authority, rule, caller, resource)
  if (granted === undefined) {
    const explanation = await whyRefused(authority, caller, rule.actions, resource)
    return fail(rule.masked ? 'not_found' : 'forbidden', { explanation })
  }
  if (rule.shown) await demandOne(authority, rule.shown, caller, values)
  return granted
}

/** The first of the actions that the caller has. */
async function grantedOf(
  authority: Authority,
  rule: DoorRule,
  caller: Caller,
  resource: Resource,
): Promise<string | undefined> {
  for (const action of rule.actions) {
    if ((await authority.decide(caller, action, resource)).allowed) return action
  }
  return undefined
}

/**
 * A change needs the action of every aspect it touches, on the thing as it was before (D17): whoever may edit tags
 * only cannot tag a thing into reach.
 */
export async function authorizeChange(authority: Authority, caller: Caller, change: ChangedDocument): Promise<void> {
  const { collection, keys, before } = change
  const resource = resourceOf(caller, collection, keys, before)
  for (const action of change.actions) {
    if (!(await authority.decide(caller, action, resource)).allowed) {
      fail('forbidden', { explanation: await whyRefused(authority, caller, [action], resource) })
    }
  }
}

/** In the words of `Engine.explain`. Of several actions each would have been enough, and the first is explained. */
async function whyRefused(
  authority: Authority,
  caller: Caller,
  actions: readonly string[],
  resource: Resource,
): Promise<string> {
  const [first] = actions as readonly [string, ...string[]]
  const { text } = await authority.explain(caller, first, resource)
  return actions.length === 1 ? text : `needs one of ${actions.join(', ')}; ${text}`
}
