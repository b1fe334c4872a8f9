import type { BaseRole } from '../rules/policy/base-roles.ts'
import type { Statement } from '../rules/policy/statement.ts'

/**
 * The caller of a request, as the host names it from its own session or from a signed token
 * (docs/decisions/0002-decide-access-by-policy.md#d38-callers-of-a-host-application).
 */
export type HostIdentity = MemberIdentity | ServiceIdentity

/** A member of the account. */
export interface MemberIdentity extends HostCredential {
  /** Id or e-mail address of the member. The request is refused with 401 when there is no such member. */
  readonly member: string
  /** Replaces the stored base role of the member for this request. Default: the stored one. */
  readonly role?: BaseRole
  /**
   * Keys of the teams that replace the stored ones for this request; unknown keys are ignored. Default: the stored
   * ones.
   */
  readonly teams?: readonly string[]
  /**
   * The complete rights for this request, in place of all roles and teams. Without this property, the roles and teams
   * apply.
   */
  readonly inlinePolicy?: readonly Statement[]
}

/** A program that is not a member, such as a CI job. It has the rights that the host configured, and no others. */
export interface ServiceIdentity extends HostCredential {
  /** Name of the program in the change log, 1 to 256 characters. */
  readonly service: string
  /** Base role of the program; ignored when there is an `inlinePolicy`. Default: no rights. */
  readonly role?: BaseRole
  /** Rights of the program. Default: those of `role`. */
  readonly inlinePolicy?: readonly Statement[]
}

interface HostCredential {
  /**
   * False when browsers do not send the credential by themselves, as with a token in a header. When true, a request
   * that changes something must prove that no page of another site made it. Default true.
   */
  readonly session?: boolean
}

/** Returns the identity of a request, or undefined to authenticate it by its access token. */
export type IdentifyCaller = () => HostIdentity | undefined | Promise<HostIdentity | undefined>
