import type { Caller, Grant } from '../../operation/caller.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/** All that a caller is held to, also when the member behind it is no longer there to ask. */
export function limitsOf(caller: Caller): readonly Grant[] {
  return caller.standing ? [...caller.grants, caller.standing] : caller.grants
}

/**
 * A token's ceiling lowered to a caller's limits. Whoever gives a token other roles, or learns its new value, could
 * otherwise use it to do what they may not do themselves.
 */
export function lowered(ceiling: readonly Grant[], caller: Caller): readonly Grant[] {
  const added = limitsOf(caller).filter((grant) => !ceiling.some((one) => jsonEqual(one, grant)))
  return added.length === 0 ? ceiling : [...ceiling, ...added]
}
