import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { key, links } from '../../operation/schema.ts'
import { applicationQuery, selectedApplications } from '../insight-charts/application-query.ts'
import { readScores } from './read-scores.ts'
import { scoreMetadataResponse, scoresResponse, serializeScoreMetadata } from './score-response.ts'

export const getInsightsScores = operation({
  id: 'getInsightsScores',
  summary: 'Get the scores of an environment, for all its applications or for some',
  method: 'GET',
  path: '/api/v2/engineering-insights/insights/scores',
  beta: 'tagged',
  query: v.object({ projectKey: key(), environmentKey: key(), ...applicationQuery }),
  success: {
    status: 200,
    body: v.object({ ...scoreMetadataResponse.entries, scores: scoresResponse, _links: links() }),
  },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { projectKey, environmentKey } = query
    const environmentKeys = { projectKey, environmentKey }
    const applicationKeys = selectedApplications(query)
    if (!(await context.tx.get(environments, environmentKeys))) context.fail('not_found')
    const [scores] = await readScores(context, [
      { ...environmentKeys, ...(applicationKeys ? { applicationKeys } : {}) },
    ])
    return { ...serializeScoreMetadata(context), scores: scores!, _links: { self: linkTo(context.url) } }
  },
})
