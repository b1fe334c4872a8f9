import type { PolicyKind } from './policy-kind.ts'
import type { Statement } from './statement.ts'
import { specifierOf } from './vocabulary.ts'

/**
 * The names of the roles that need no policy of the account
 * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
 */
export const baseRoleNames = ['reader', 'writer', 'admin', 'owner', 'no_access'] as const

/** A role that needs no policy of the account (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). */
export type BaseRole = (typeof baseRoleNames)[number]

/** The statements of the base roles. */
export type BaseRoles = Readonly<Record<BaseRole, readonly Statement[]>>

/**
 * Returns the base roles as ordinary statements (docs/decisions/0002-decide-access-by-policy.md#d16-tokens): a reader
 * views everything but secrets; a writer also changes everything but account-level resources and what needs an
 * approval; an admin and an owner may do everything.
 *
 * There is one statement for each shape, so that the statement that explains a decision is short.
 */
export function baseRolesOf(kinds: readonly PolicyKind[]): BaseRoles {
  return {
    reader: kinds.flatMap(allowReading),
    writer: kinds.flatMap((kind) => (kind.accountLevel ? allowReading(kind) : [allowWriting(kind)])),
    admin: kinds.map(allowAll),
    owner: kinds.map(allowAll),
    no_access: [],
  }
}

function allowAll({ shape }: PolicyKind): Statement {
  return { effect: 'allow', resources: [specifierOf(shape)], actions: ['*'] }
}

function allowWriting(kind: PolicyKind): Statement {
  const { shape, adminActions = [] } = kind
  if (adminActions.length === 0) return allowAll(kind)
  return { effect: 'allow', resources: [specifierOf(shape)], notActions: adminActions }
}

function allowReading({ shape, actions, secretActions = [] }: PolicyKind): Statement[] {
  const viewActions = actions.filter((action) => action.startsWith('view') && !secretActions.includes(action))
  return viewActions.length > 0 ? [{ effect: 'allow', resources: [specifierOf(shape)], actions: viewActions }] : []
}
