import type { Action } from '../vocabulary/policy-kinds.ts'

/**
 * The access rule of an operation.
 *
 * `action` on `resource` must be allowed. If several actions are listed, a caller who may do one of them can start the
 * call, because the handler authorizes the change of each property again. `resource` is an address whose parameters are
 * those of the path, or `{body.key}` and `{query.projectKey}` for a resource that the body or the query names; the
 * operation's schema must require that property. `open` requires an authenticated caller only: the handler must filter
 * what it returns. `anonymous` requires no caller at all: the handler must check a secret of the body.
 */
export type Access<A extends string = string> =
  | {
      readonly action: A | readonly A[]
      readonly resource: string
      /**
       * The right that is needed to see the response, because the right to change a resource does not include the right
       * to see it (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
       */
      readonly shows?: ShownResource<A>
      /**
       * True to respond to a denied call with `not_found`, for operations that the specification lists without
       * `forbidden` (docs/decisions/0001-follow-one-set-of-http-conventions.md#d7-errors-of-every-operation).
       */
      readonly masked?: boolean
    }
  | {
      readonly open: true
      readonly why: string
      /**
       * Actions on a resource that the handler reads first; the handler requires at least one of them. The MCP server
       * does not offer the operation to callers without any of them. Default: no actions, for reads and for operations
       * that run others.
       */
      readonly demands?: readonly A[]
    }
  | AnonymousAccess

/** No token is required. The handler must check a secret in the body, or `identify` must check a secret in the path. */
export interface AnonymousAccess {
  readonly anonymous: true
  /**
   * True when a secret in the path names the caller, whom `identify` of the operation finds. The call then has the
   * rights of that caller, and counts toward their rate limit.
   */
  readonly identifies?: true
  readonly why: string
}

/** The right to see a response: `action` on the resource at this address. */
export interface ShownResource<A extends string = Action> {
  readonly action: A
  readonly resource: string
}
