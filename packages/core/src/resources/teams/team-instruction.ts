import * as v from 'valibot'
import { maintainTeam, type TeamPermission } from '../../models/teams/permission.ts'
import { key, list, name, text } from '../../operation/schema.ts'
import { attributeValues, distinctKeys, roleAttributes } from '../members/member-schema.ts'
import { actionsOf } from '../policy.ts'

const teamActions = actionsOf('team')

/** Schema of member ids: distinct, at most 1,000. */
export const memberIds = () =>
  v.pipe(
    list(v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))),
    v.maxLength(1000, 'must contain at most 1000 members'),
    v.check((ids) => new Set(ids).size === ids.length, 'must not repeat a member'),
    v.readonly(),
  )

const grantEntries = {
  actionSet: v.optional(v.literal(maintainTeam)),
  actions: v.optional(list(v.picklist(teamActions, `must be one of ${teamActions.join(', ')}`))),
  memberIDs: memberIds(),
}

interface GrantRequest {
  readonly actionSet?: typeof maintainTeam | undefined
  readonly actions?: readonly TeamPermission[] | undefined
}

/** Tests that a grant names its permissions in exactly one form. */
function hasOnePermissionForm({ actionSet, actions = [] }: GrantRequest): boolean {
  return (actionSet !== undefined) !== actions.length > 0
}

const onePermissionForm = 'must have either an actionSet or actions'

/** Schema of a permission grant: an action set or a list of actions, and the members who get it. */
export const permissionGrant = v.pipe(
  v.strictObject(grantEntries),
  v.check((grant) => hasOnePermissionForm(grant), onePermissionForm),
)

/** Returns the permissions that a request grants or revokes. */
export function permissionsIn({ actionSet, actions = [] }: GrantRequest): readonly TeamPermission[] {
  return actionSet ? [actionSet] : actions
}

function instruction<const Kind extends string, const Entries extends v.ObjectEntries>(kind: Kind, entries: Entries) {
  return v.strictObject({ kind: v.literal(kind), ...entries })
}

/**
 * Schema of an instruction of a semantic patch of a team
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: patchTeam).
 */
export const teamInstruction = v.pipe(
  v.variant('kind', [
    instruction('addCustomRoles', { values: distinctKeys() }),
    instruction('removeCustomRoles', { values: distinctKeys() }),
    instruction('addMembers', { values: memberIds() }),
    instruction('removeMembers', { values: memberIds() }),
    instruction('replaceMembers', { values: memberIds() }),
    instruction('addPermissionGrants', grantEntries),
    instruction('removePermissionGrants', grantEntries),
    instruction('addRoleAttribute', { key: key(), values: attributeValues() }),
    instruction('updateRoleAttribute', { key: key(), values: attributeValues() }),
    instruction('removeRoleAttribute', { key: key() }),
    instruction('replaceRoleAttributes', { value: roleAttributes() }),
    instruction('updateDescription', { value: text() }),
    instruction('updateName', { value: name() }),
  ]),
  v.check((instruction) => !('memberIDs' in instruction) || hasOnePermissionForm(instruction), onePermissionForm),
)

export type TeamInstruction = v.InferOutput<typeof teamInstruction>
