import type { Caller, Grant } from '../../operation/caller.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/**
 * All that a caller is held to, also when the member behind it is no longer there to ask. Placeholders keep what they
 * stand for now: with nothing in their place a deny would deny nothing.
 */
export function limitsOf(caller: Caller): readonly Grant[] {
  return tied(caller.standing ? [...caller.grants, caller.standing] : caller.grants, caller)
}

/**
 * What a personal token of the same member is held to besides the member. Where the caller's placeholders follow the
 * member, so do these; those of a service token stand for nothing, and must not begin to stand for something.
 */
export function limitsBesidesMember(caller: Caller): readonly Grant[] {
  return caller.standing ? caller.grants : tied(caller.grants, caller)
}

function tied(grants: readonly Grant[], { roleAttributes }: Caller): readonly Grant[] {
  return grants.map((grant) => ({ roleAttributes, ...grant }))
}

/**
 * A token's ceiling lowered to a caller's limits. Whoever gives a token other roles, or learns its new value, could
 * otherwise use it to do what they may not do themselves.
 */
export function lowered(ceiling: readonly Grant[], caller: Caller): readonly Grant[] {
  const added = limitsOf(caller).filter((grant) => !ceiling.some((one) => jsonEqual(one, grant)))
  return added.length === 0 ? ceiling : [...ceiling, ...added]
}
