import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import { resized, teams } from './team.ts'

/** A team that a new member joins, and the path of the property in the request that contains its key. */
export interface ReferencedTeam {
  readonly attribute: string
  readonly teamKey: string
}

/**
 * Adds new members to the member counts of their teams. The caller needs the right to change the members of each team.
 *
 * @throws ApiError `invalid_request` that names each team that does not exist.
 */
export async function joinTeams(
  context: Context<Writer, 'invalid_request'>,
  references: readonly ReferencedTeam[],
): Promise<void> {
  const { tx, fail } = context
  const now = context.readClock()
  const keys = [...new Set(references.map(({ teamKey }) => teamKey))]
  const storedTeams = await tx.getMany(
    teams,
    keys.map((teamKey) => ({ teamKey })),
  )
  const unknown = references.filter(({ teamKey }) => !storedTeams[keys.indexOf(teamKey)])
  if (unknown.length > 0) {
    const reason = 'must be the key of a team'
    fail('invalid_request', { errors: unknown.map(({ attribute }) => ({ attribute, reason })) })
  }
  for (const team of storedTeams) {
    if (!team) continue
    const newMemberCount = references.filter(({ teamKey }) => teamKey === team.key).length
    tx.replace(teams, { teamKey: team.key }, team, resized(team, newMemberCount, now))
  }
}
