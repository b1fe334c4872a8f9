import * as v from 'valibot'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { holdoutSides } from '../../models/holdouts/holdout-measurement.ts'
import { measuredResults } from '../../models/measurements/measured-results.ts'
import { operation } from '../../operation/operation.ts'
import { analysisQuery, serializeResults } from '../experiments/analysis/analysis-response.ts'
import { holdoutResultsResponse } from '../experiments/results-schema.ts'

const names = { 'in-holdout': 'In the holdout', 'not-in-holdout': 'Not in the holdout' } as const

const treatments = holdoutSides.map((id) => ({ id, name: names[id], baseline: id === 'in-holdout' }))

export const getHoldoutResults = operation({
  id: 'getHoldoutResults',
  summary: 'Get the effect of all experiments of a holdout together on its metrics',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts/{holdoutKey}/results',
  beta: 'tagged',
  query: v.object(analysisQuery),
  success: { status: 200, body: holdoutResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail, format }, { params, query }) {
    const { id, holdoutAmount } = (await tx.get(holdouts, params)) ?? fail('not_found')
    const measured =
      (await measuredResults(tx, { ...params, measurementId: id })) ??
      fail('not_found', { message: 'No experiment has started since the holdout began to measure its contexts' })
    const allocations = [holdoutAmount, 100 - holdoutAmount]
    return { holdoutId: id, ...serializeResults(format, measured, { treatments, allocations, query }) }
  },
})
