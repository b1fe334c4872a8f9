import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { serializeTeam, type TeamExpansion, teamExpansions, teamResponse } from './team-schema.ts'

/** Expansions whose data is in the document itself, so that the revision of the document covers them. */
const inDocument: ReadonlySet<TeamExpansion> = new Set(['members', 'roleAttributes'])

export const getTeam = operation({
  id: 'getTeam',
  summary: 'Get a team',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}',
  query: v.object({ expand: expand(...teamExpansions) }),
  success: { status: 200, body: teamResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewTeam', resource: 'team/{teamKey}' },
  async handle(context, { params, query }) {
    const team = (await context.tx.get(teams, params)) ?? context.fail('not_found')
    context.setRevision(
      team.version,
      query.expand.some((expansion) => !inDocument.has(expansion)),
    )
    return serializeTeam(context, team, query.expand)
  },
})
