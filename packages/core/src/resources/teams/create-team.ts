import * as v from 'valibot'
import { granting, type PermissionGrant } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { key, list } from '../../operation/schema.ts'
import { distinctKeys } from '../members/member-wire.ts'
import { requireNamed } from './require-named.ts'
import { memberIds, permissionGrant, permissionsIn } from './team-instruction-wire.ts'
import { presentTeam, teamSettings, teamWire } from './team-wire.ts'
import { tieMembers } from './tie-members.ts'

const settings = teamSettings.entries

const teamRequest = v.strictObject({
  key: key(),
  name: settings.name,
  description: v.optional(settings.description, ''),
  customRoleKeys: v.optional(distinctKeys(), []),
  memberIDs: v.optional(memberIds(), []),
  roleAttributes: v.optional(settings.roleAttributes, {}),
  permissionGrants: v.optional(v.pipe(list(permissionGrant), v.maxLength(20, 'must contain at most 20 grants')), []),
})

type TeamRequest = v.InferOutput<typeof teamRequest>

export const createTeam = operation({
  id: 'createTeam',
  summary: 'Create a team',
  method: 'POST',
  path: '/api/v2/teams',
  body: jsonBody(teamRequest),
  success: { status: 201, body: teamWire },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: { action: 'createTeam', resource: 'team/{body.key}' },
  async handle(context, { body }) {
    const { tx } = context
    const now = context.readClock()
    const team = insertNew(context, teams, { teamKey: body.key }, newTeam(body, now))
    await requireNamed(context, team, [], namedIn(body))
    await tieMembers(tx, team, [], { replaces: false, named: new Map(body.memberIDs.map((id) => [id, true])) })
    return presentTeam(context, team, [])
  },
})

function newTeam(request: TeamRequest, now: number): Omit<Team, 'version'> {
  return {
    key: request.key,
    name: request.name,
    description: request.description,
    customRoles: request.customRoleKeys.map((roleKey) => ({ key: roleKey, appliedOn: now })),
    roleAttributes: request.roleAttributes,
    permissionGrants: request.permissionGrants.reduce<readonly PermissionGrant[]>(
      (grants, one) => granting(grants, permissionsIn(one), one.memberIDs),
      [],
    ),
    membership: { size: request.memberIDs.length, changes: 0 },
    createdAt: now,
    lastModified: now,
  }
}

function namedIn({ customRoleKeys, memberIDs, permissionGrants }: TeamRequest) {
  return {
    roles: customRoleKeys.map((roleKey, i) => ({ attribute: `customRoleKeys.${i}`, roleKey })),
    members: [
      ...memberIDs.map((memberId, i) => ({ attribute: `memberIDs.${i}`, memberId })),
      ...permissionGrants.flatMap((grant, i) =>
        grant.memberIDs.map((memberId, j) => ({ attribute: `permissionGrants.${i}.memberIDs.${j}`, memberId })),
      ),
    ],
  }
}
