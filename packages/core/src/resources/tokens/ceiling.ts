import type { Token } from '../../models/tokens/token.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/**
 * Returns all limits of a caller, including the current rights of the member. Placeholders keep their current values:
 * without values a deny statement would deny nothing.
 */
export function limitsOf(caller: Caller): readonly Grant[] {
  return withAttributes(caller.standing ? [...caller.grants, caller.standing] : caller.grants, caller)
}

/**
 * Returns the limits that a new personal token of the caller's own member gets, in addition to the rights of the
 * member. Placeholders in the roles of a personal caller get the current values of the member. Placeholders of a
 * service token have no values, and must not get values later.
 */
export function ownLimits(caller: Caller): readonly Grant[] {
  return caller.standing ? caller.grants : withAttributes(caller.grants, caller)
}

function withAttributes(grants: readonly Grant[], { roleAttributes }: Caller): readonly Grant[] {
  return grants.map((grant) => ({ roleAttributes, ...grant }))
}

/**
 * Adds the limits of a caller to the ceiling of a token. Otherwise a caller could change the roles of a token, or reset
 * its value, and use it for actions that the caller may not do.
 */
export function lowerCeiling({ ceiling, serviceToken, memberId }: Token, caller: Caller): readonly Grant[] {
  // A personal token is limited at each call by the rights that its member has at that time. So the current rights of
  // the member are not stored as a limit.
  const isOwn = !serviceToken && caller.standing !== undefined && caller.memberId === memberId
  const limits = isOwn ? ownLimits(caller) : limitsOf(caller)
  const added = limits.filter((grant) => !ceiling.some((existing) => jsonEqual(existing, grant)))
  return added.length === 0 ? ceiling : [...ceiling, ...added]
}
