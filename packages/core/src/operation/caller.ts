import type { BaseRole } from '../rules/policy/base-roles.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Statement } from '../rules/policy/statement.ts'
import type { RoleAttributes } from '../rules/policy/text-pattern.ts'

/**
 * Who makes a call, and what they may do.
 *
 * A caller may do what *every* layer allows: a token's own roles are one layer, the member behind it another, the
 * limits of the token that made it a third (docs/decisions/0002-decide-access-by-policy.md#d16-tokens: a token never
 * exceeds its creator).
 */
export interface Caller {
  /** Names the caller in logs and counts its requests, e.g. `token/5c…`; no secret. */
  readonly id: string
  readonly memberId: string | undefined
  readonly tokenId: string | undefined
  readonly layers: readonly CompiledPolicy[]
  /** What the caller's own token is held to, one layer each. A token made by this caller is held to it too. */
  readonly grants: readonly Grant[]
  /** What the member behind it may do now; a thing that outlives the member is held to that as well. */
  readonly standing: Grant | undefined
  /** What `${roleAttribute/…}` stands for in their grants that do not say it themselves. */
  readonly roleAttributes: RoleAttributes
}

/** Roles that add up to one layer, as they are stored: custom roles by key, so that they shrink when a role does. */
export interface Grant {
  readonly role?: BaseRole
  readonly customRoles?: readonly string[]
  readonly statements?: readonly Statement[]
  /** What `${roleAttribute/…}` stands for in them; left out where that is what the member behind the token has now. */
  readonly roleAttributes?: RoleAttributes
}
