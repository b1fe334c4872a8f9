import * as v from 'valibot'
import { resized, type Team, teams } from '../../models/teams/team.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { expand } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { editTeam } from './edit-team.ts'
import { requireTeamReferences, type TeamReferences } from './require-team-references.ts'
import { syncMembers } from './sync-members.ts'
import { type TeamInstruction, teamInstruction } from './team-instruction.ts'
import { serializeTeam, teamExpansions, teamResponse, teamSettings } from './team-schema.ts'
import { memberSentences, teamSentences } from './team-sentences.ts'
import { undoTeams } from './undo-teams.ts'
import { validateTeam } from './validate-team.ts'

export const patchTeam = operation({
  id: 'patchTeam',
  undo: [undoOf(teams, undoTeams)],
  summary: 'Update a team; the update applies to its members immediately',
  method: 'PATCH',
  path: '/api/v2/teams/{teamKey}',
  query: v.object({ expand: expand(...teamExpansions) }),
  body: patchBody(actionsByPath(['/name', '/description', '/roleAttributes/**'], teams), teamInstruction),
  success: { status: 200, body: teamResponse },
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
    const start =
      body.format === 'semantic'
        ? before
        : await patchDocument(before, body, teamSettings, { shown: () => serializeTeam(context, before, []) })
    const { team, roster, errors: editErrors } = editTeam(start, instructions, now)
    const errors = [...editErrors, ...validateTeam(team)]
    if (errors.length > 0) context.fail('invalid_request', { errors })
    await requireTeamReferences(context, team, before.permissionGrants, referencesIn(before, instructions))
    const { joined, left } = await syncMembers(tx, team, before.permissionGrants, roster)
    const changesMembers = joined.length + left.length > 0
    const updated = changesMembers ? resized(team, joined.length - left.length, now) : team
    if (body.format === 'semantic')
      tx.describe(teams, params, [...teamSentences(before, instructions, now), ...memberSentences(joined, left)])
    const after = tx.replace(teams, params, before, { ...updated, lastModified: now })
    context.setRevision(after.version)
    return serializeTeam(context, after, query.expand)
  },
})

/** Returns the roles and members that instructions add to the team. */
function referencesIn({ customRoles }: Team, instructions: readonly TeamInstruction[]): TeamReferences {
  const existingKeys = new Set(customRoles.map(({ key }) => key))
  return {
    roles: instructions.flatMap((instruction, i) =>
      instruction.kind === 'addCustomRoles'
        ? withPaths(instruction.values, `instructions.${i}.values`)
            .filter(({ value }) => !existingKeys.has(value))
            .map(({ attribute, value }) => ({ attribute, roleKey: value }))
        : [],
    ),
    members: instructions
      .flatMap((instruction, i) => {
        if (instruction.kind === 'addMembers' || instruction.kind === 'replaceMembers')
          return withPaths(instruction.values, `instructions.${i}.values`)
        return instruction.kind === 'addPermissionGrants'
          ? withPaths(instruction.memberIDs, `instructions.${i}.memberIDs`)
          : []
      })
      .map(({ attribute, value }) => ({ attribute, memberId: value })),
  }
}

function withPaths(values: readonly string[], path: string): { readonly attribute: string; readonly value: string }[] {
  return values.map((value, index) => ({ attribute: `${path}.${index}`, value }))
}
