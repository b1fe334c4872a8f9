import * as v from 'valibot'
import { resized, type Team, teams } from '../../models/teams/team.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { expand } from '../../operation/schema.ts'
import { editTeam } from './edit-team.ts'
import { type Named, requireNamed } from './require-named.ts'
import { teamFaults } from './team-faults.ts'
import { type TeamInstruction, teamInstruction } from './team-instruction-wire.ts'
import { presentTeam, teamExpansions, teamSettings, teamWire } from './team-wire.ts'
import { tieMembers } from './tie-members.ts'

export const patchTeam = operation({
  id: 'patchTeam',
  summary: 'Update a team; the update applies to its members at once',
  method: 'PATCH',
  path: '/api/v2/teams/{teamKey}',
  query: v.object({ expand: expand(...teamExpansions) }),
  body: patchBody(['/name', '/description', '/roleAttributes/**'], teamInstruction),
  success: { status: 200, body: teamWire },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: teams.changeActions,
    resource: 'team/{teamKey}',
    shows: { action: 'viewTeam', resource: 'team/{teamKey}' },
  },
  async handle(context, { params, query, body }) {
    const { tx } = context
    const now = context.readClock()
    const before = (await tx.get(teams, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const instructions = body.format === 'semantic' ? body.instructions : []
    const start = body.format === 'semantic' ? before : patchDocument(before, body, teamSettings)
    const { team, roster, faults } = editTeam(start, instructions, now)
    const errors = [...faults, ...teamFaults(team)]
    if (errors.length > 0) context.fail('invalid_request', { errors })
    await requireNamed(context, team, before.permissionGrants, namedIn(before, instructions))
    const { joined, left } = await tieMembers(tx, team, before.permissionGrants, roster)
    const moved = joined + left > 0 ? resized(team, joined - left, now) : team
    const after = tx.replace(teams, params, before, { ...moved, lastModified: now })
    context.revision(after.version)
    return presentTeam(context, after, query.expand)
  },
})

/** Returns the roles and members that instructions add to the team. */
function namedIn({ customRoles }: Team, instructions: readonly TeamInstruction[]): Named {
  const had = new Set(customRoles.map(({ key }) => key))
  return {
    roles: instructions.flatMap((one, i) =>
      one.kind === 'addCustomRoles'
        ? placed(one.values, `instructions.${i}.values`)
            .filter(({ value }) => !had.has(value))
            .map(({ attribute, value }) => ({ attribute, roleKey: value }))
        : [],
    ),
    members: instructions
      .flatMap((one, i) => {
        if (one.kind === 'addMembers' || one.kind === 'replaceMembers')
          return placed(one.values, `instructions.${i}.values`)
        return one.kind === 'addPermissionGrants' ? placed(one.memberIDs, `instructions.${i}.memberIDs`) : []
      })
      .map(({ attribute, value }) => ({ attribute, memberId: value })),
  }
}

function placed(values: readonly string[], at: string): { readonly attribute: string; readonly value: string }[] {
  return values.map((value, index) => ({ attribute: `${at}.${index}`, value }))
}
