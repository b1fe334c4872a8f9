import type { ChangeSelector } from '../../operation/audience.ts'
import type { Caller } from '../../operation/caller.ts'
import { addressOf, parseAddress, type Resource } from '../../rules/address.ts'
import type { CompiledPolicy } from '../../rules/policy/policy.ts'
import type { WrittenDocument } from '../../storage/changed-document.ts'
import type { Authority } from './authority.ts'
import { resourceOf } from './resource-attributes.ts'

/**
 * Decides whether a policy selects a change of a unit of work, from the documents that it writes and those that are
 * stored.
 */
export type PolicySelection = (written: readonly WrittenDocument[]) => ChangeSelector

/**
 * Creates the selection for an account: a policy without a caller is decided as the only layer of a caller would be.
 */
export function policySelection(authority: Authority): PolicySelection {
  return (written) => {
    const byAddress = new Map<string, WrittenDocument[]>()
    for (const document of written) {
      const address = addressOf(document.collection.resource(document.keys, document.after ?? document.before))
      byAddress.set(address, [...(byAddress.get(address) ?? []), document])
    }
    return async (policy, { actions, resource }) => {
      const caller = callerWith(policy)
      const documents = byAddress.get(resource)
      const states = documents?.flatMap((document) => statesOf(caller, document)) ?? [parseAddress(resource) ?? []]
      for (const action of actions) {
        for (const state of states) if ((await authority.decide(caller, action, state)).allowed) return true
      }
      return false
    }
  }
}

/** Returns a document as a resource before and after the change, omitting a state in which it did not exist. */
function statesOf(caller: Caller, { collection, keys, before, after }: WrittenDocument): Resource[] {
  return [before, after].flatMap((document) => (document ? [resourceOf(caller, collection, keys, document)] : []))
}

function callerWith(policy: CompiledPolicy): Caller {
  const anonymous = { memberId: undefined, tokenId: undefined, grants: [], standing: undefined, roleAttributes: {} }
  return { id: 'system/selection', layers: [policy], ...anonymous }
}
