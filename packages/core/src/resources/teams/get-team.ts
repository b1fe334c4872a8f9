import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { presentTeam, type TeamExpansion, teamExpansions, teamWire } from './team-wire.ts'

/** Expansions whose data is in the document itself, and therefore has its revision. */
const kept: ReadonlySet<TeamExpansion> = new Set(['members', 'roleAttributes'])

export const getTeam = operation({
  id: 'getTeam',
  summary: 'Get a team',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}',
  query: v.object({ expand: expand(...teamExpansions) }),
  success: { status: 200, body: teamWire },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewTeam', resource: 'team/{teamKey}' },
  async handle(context, { params, query }) {
    const team = (await context.tx.get(teams, params)) ?? context.fail('not_found')
    context.revision(
      team.version,
      query.expand.some((one) => !kept.has(one)),
    )
    return presentTeam(context, team, query.expand)
  },
})
