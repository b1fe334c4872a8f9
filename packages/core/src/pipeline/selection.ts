import type { Selects } from '../operation/audience.ts'
import type { Caller } from '../operation/caller.ts'
import { addressOf, parseAddress, type Resource } from '../rules/address.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { WrittenDocument } from '../storage/written-documents.ts'
import { type Authority, resourceOf } from './authority.ts'

/** Tells what a policy selects of a unit's changes, by the things that the unit writes and by what is stored. */
export type Selection = (written: readonly WrittenDocument[]) => Selects

/** Makes the selection over an account: a policy that is no caller's is asked as that of a caller would be. */
export function selectionOver(authority: Authority): Selection {
  return (written) => {
    const things = new Map<string, WrittenDocument[]>()
    for (const thing of written) {
      const address = addressOf(thing.collection.resource(thing.keys, thing.after ?? thing.before))
      things.set(address, [...(things.get(address) ?? []), thing])
    }
    return async (policy, { actions, resource }) => {
      const caller = callerWith(policy)
      const known = things.get(resource)
      const states = known?.flatMap((thing) => statesOf(caller, thing)) ?? [parseAddress(resource) ?? []]
      for (const action of actions) {
        for (const state of states) if ((await authority.decide(caller, action, state)).allowed) return true
      }
      return false
    }
  }
}

/** A thing as it was before the change and as it is after it, as far as it was or is there. */
function statesOf(caller: Caller, { collection, keys, before, after }: WrittenDocument): Resource[] {
  return [before, after].flatMap((document) => (document ? [resourceOf(caller, collection, keys, document)] : []))
}

function callerWith(policy: CompiledPolicy): Caller {
  const nobody = { memberId: undefined, tokenId: undefined, grants: [], standing: undefined, roleAttributes: {} }
  return { id: 'system/selection', layers: [policy], ...nobody }
}
