import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import { resized, teams } from './team.ts'

/** A team that a new member is to belong to, and where the request says so. */
export interface NamedTeam {
  readonly attribute: string
  readonly teamKey: string
}

/**
 * Counts new members into their teams; whoever adds them needs the right to each team's members.
 *
 * @throws ApiError `invalid_request` naming each team that does not exist.
 */
export async function joinTeams(
  context: Context<Writer, 'invalid_request'>,
  named: readonly NamedTeam[],
): Promise<void> {
  const { tx, fail } = context
  const now = context.readClock()
  const keys = [...new Set(named.map(({ teamKey }) => teamKey))]
  const found = await tx.getMany(
    teams,
    keys.map((teamKey) => ({ teamKey })),
  )
  const unknown = named.filter(({ teamKey }) => !found[keys.indexOf(teamKey)])
  if (unknown.length > 0) {
    const reason = 'must be the key of a team'
    fail('invalid_request', { errors: unknown.map(({ attribute }) => ({ attribute, reason })) })
  }
  for (const team of found) {
    if (!team) continue
    const joining = named.filter(({ teamKey }) => teamKey === team.key).length
    tx.replace(teams, { teamKey: team.key }, team, resized(team, joining, now))
  }
}
