import { draftIteration, experiments } from '../../models/experiments/experiment.ts'
import type { Iteration } from '../../models/experiments/iteration.ts'
import { jsonBody } from '../../operation/body.ts'
import { changeDocument } from '../../operation/document-operations/change-document.ts'
import { operation } from '../../operation/operation.ts'
import { iterationResponse, serializeIteration } from './experiment-schema.ts'
import { withDraft } from './iteration-changes.ts'
import { iterationRequest } from './iteration-request.ts'
import { newIteration } from './new-iteration.ts'

export const createIteration = operation({
  id: 'createIteration',
  summary: 'Add an iteration to an experiment without starting it; it replaces an iteration that has not started',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/iterations',
  body: jsonBody(iterationRequest),
  success: { status: 200, body: iterationResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateExperiment',
    resource: experiments.template,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const after = await changeDocument(context, experiments, params, async (before) => {
      const { iteration, errors } = await newIteration(context, params, body, '')
      return iteration ? withDraft(before, iteration) : context.fail('invalid_request', { errors })
    })
    // Cast: the iteration that was added has not started.
    const iteration = draftIteration(after) as Iteration
    return serializeIteration(context, iteration, params, ['secondaryMetrics', 'treatments'])
  },
})
