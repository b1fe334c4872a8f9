import * as v from 'valibot'
import { teams } from '../../../models/teams/team.ts'
import { semanticPatchBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { list } from '../../../operation/schema.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { exceptedMembers, membersExcept, membersWithIds, selectedIds } from '../../members/bulk/selected-members.ts'
import { distinctKeys } from '../../members/member-schema.ts'
import { undoTeams } from '../undo-teams.ts'
import { addToTeams } from './add-to-teams.ts'

const teamKeys = v.pipe(distinctKeys(), v.minLength(1, 'must contain at least 1 team'))

/** Schema of an instruction that changes several teams (reference API: patchTeams). */
const teamsInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('addMembersToTeams'), memberIDs: selectedIds(), teamKeys }),
  v.strictObject({ kind: v.literal('addAllMembersToTeams'), teamKeys, ...exceptedMembers }),
])

export const patchTeams = operation({
  id: 'patchTeams',
  undo: [undoOf(teams, undoTeams)],
  summary: 'Add members to several teams, to all of them or none; the update applies to the members immediately',
  method: 'PATCH',
  path: '/api/v2/teams',
  beta: 'tagged',
  body: semanticPatchBody(teamsInstruction),
  success: {
    status: 200,
    body: v.object({
      memberIDs: list(v.string()),
      teamKeys: list(v.string()),
      errors: list(v.record(v.string(), v.string())),
    }),
  },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: { action: 'updateTeamMembers', resource: 'team/*' },
  async handle(context, { body }) {
    const additions = await Promise.all(
      body.instructions.map(async (instruction, index) => ({
        teamKeys: instruction.teamKeys,
        attribute: `instructions.${index}.teamKeys`,
        joining:
          instruction.kind === 'addMembersToTeams'
            ? await membersWithIds(context, instruction.memberIDs, `instructions.${index}.memberIDs`)
            : await membersExcept(context, instruction, `instructions.${index}.kind`),
      })),
    )
    const joined = await addToTeams(context, additions)
    return {
      memberIDs: joined.map(({ id }) => id),
      teamKeys: [...new Set(additions.flatMap((addition) => addition.teamKeys))],
      errors: [],
    }
  },
})
