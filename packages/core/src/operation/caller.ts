import type { BaseRole } from '../rules/policy/base-roles.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Statement } from '../rules/policy/statement.ts'
import type { RoleAttributes } from '../rules/policy/text-pattern.ts'

/**
 * The caller of an operation, with the limits of their rights.
 *
 * A caller may do what *every* layer allows: the token's own roles are one layer, the rights of its member another, and
 * the limits of the token that created it a third (docs/decisions/0002-decide-access-by-policy.md#d16-tokens: a token
 * never exceeds its creator).
 */
export interface Caller {
  /** Identifies the caller in logs and in rate limits, e.g. `token/5c…`; contains no secret. */
  readonly id: string
  readonly memberId: string | undefined
  readonly tokenId: string | undefined
  readonly layers: readonly CompiledPolicy[]
  /** Limits of the caller's own token, one layer each. They also apply to every token that this caller creates. */
  readonly grants: readonly Grant[]
  /**
   * The current rights of the token's member. They also limit what the caller creates, in case it outlives the member.
   */
  readonly standing: Grant | undefined
  /** True when `grants` are rights that a host asserted for a member, in place of the stored rights of the member. */
  readonly asserted?: true
  /** Values of `${roleAttribute/…}` for grants that have no values of their own. */
  readonly roleAttributes: RoleAttributes
}

/**
 * Roles that together form one layer. Custom roles are stored by key and resolved at each call, so a later restriction
 * of a role applies immediately.
 */
export interface Grant {
  readonly role?: BaseRole
  readonly customRoles?: readonly string[]
  readonly statements?: readonly Statement[]
  /** Values of `${roleAttribute/…}` for this grant. Default: the current values of the token's member. */
  readonly roleAttributes?: RoleAttributes
}
