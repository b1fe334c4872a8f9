import * as v from 'valibot'
import { type PermissionGrant, withGrants } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { expand, key, list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { distinctKeys } from '../members/member-schema.ts'
import { requireTeamReferences } from './require-team-references.ts'
import { syncMembers } from './sync-members.ts'
import { memberIds, permissionGrant, permissionsIn } from './team-instruction.ts'
import { serializeTeam, teamExpansions, teamResponse, teamSettings } from './team-schema.ts'
import { undoTeams } from './undo-teams.ts'

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
  undo: [undoOf(teams, undoTeams)],
  summary: 'Create a team',
  method: 'POST',
  path: '/api/v2/teams',
  query: v.object({ expand: expand(...teamExpansions) }),
  body: jsonBody(teamRequest),
  success: { status: 201, body: teamResponse },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: { action: 'createTeam', resource: 'team/{body.key}' },
  async handle(context, { query, body }) {
    const { tx } = context
    const now = context.readClock()
    const team = insertNew(context, teams, { teamKey: body.key }, newTeam(body, now))
    await requireTeamReferences(context, team, [], referencesIn(body))
    await syncMembers(tx, team, [], {
      replaces: false,
      membershipById: new Map(body.memberIDs.map((id) => [id, true])),
    })
    return serializeTeam(context, team, query.expand)
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
      (grants, grant) => withGrants(grants, permissionsIn(grant), grant.memberIDs),
      [],
    ),
    membership: { size: request.memberIDs.length, changes: 0 },
    createdAt: now,
    lastModified: now,
  }
}

function referencesIn({ customRoleKeys, memberIDs, permissionGrants }: TeamRequest) {
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
