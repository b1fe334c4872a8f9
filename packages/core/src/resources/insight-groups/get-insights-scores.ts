import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { commaList, key, links } from '../../operation/schema.ts'
import { readScores } from './read-scores.ts'
import { presentScoreMetadata, scoreMetadataWire, scoresWire } from './score-wire.ts'

export const getInsightsScores = operation({
  id: 'getInsightsScores',
  summary: 'Get the scores of an environment, for all its applications or for some (D26)',
  method: 'GET',
  path: '/api/v2/engineering-insights/insights/scores',
  beta: 'tagged',
  query: v.object({ projectKey: key(), environmentKey: key(), applicationKey: v.optional(commaList()) }),
  success: {
    status: 200,
    body: v.object({ ...scoreMetadataWire.entries, scores: scoresWire, _links: links() }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query: { applicationKey, ...place } }) {
    if (!(await context.tx.get(environments, place))) context.fail('not_found')
    // An empty `applicationKey=` means all applications.
    const applications = applicationKey?.length ? { applicationKeys: applicationKey } : {}
    const [scores] = await readScores(context, [{ ...place, ...applications }])
    return { ...presentScoreMetadata(context), scores: scores!, _links: { self: linkTo(context.url) } }
  },
})
