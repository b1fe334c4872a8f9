import { environments } from '../../models/environments/environment.ts'
import { experiments } from '../../models/experiments/experiment.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { memberReference } from '../members/member-reference.ts'
import { validateHoldout } from './experiment-holdout.ts'
import { experimentRequest, experimentResponse, serializeExperiment } from './experiment-schema.ts'
import { newIteration } from './new-iteration.ts'

export const createExperiment = createOperation(experiments, {
  id: 'createExperiment',
  summary: 'Create an experiment with its first iteration, which has not started',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments',
  access: {
    action: 'createExperiment',
    resource: 'proj/{projectKey}:env/{environmentKey}:experiment/{body.key}',
  },
  within: environments,
  body: experimentRequest,
  async make(context, body, params) {
    const { tx, fail, caller } = context
    const { maintainerId = caller.memberId, holdoutId, iteration: request, ...properties } = body
    const [maintainerErrors, holdoutErrors, { iteration, errors }] = await Promise.all([
      validateReferences(
        tx,
        body.maintainerId === undefined ? [] : [memberReference('maintainerId', body.maintainerId)],
      ),
      validateHoldout(tx, params, holdoutId),
      newIteration(context, params, request, 'iteration.'),
    ])
    const allErrors = [...maintainerErrors, ...holdoutErrors, ...errors]
    if (allErrors.length > 0 || !iteration) return fail('invalid_request', { errors: allErrors })
    return {
      ...properties,
      id: context.useHost().newId(),
      environmentKey: params.environmentKey,
      ...(maintainerId === undefined ? {} : { maintainerId }),
      ...(holdoutId === undefined ? {} : { holdoutId }),
      archived: false,
      iterations: [iteration],
      createdAt: context.readClock(),
    }
  },
  undo: { create: undefined },
  response: experimentResponse,
  serialize: (context, experiment, keys) =>
    serializeExperiment(context, experiment, keys, { expand: ['draftIteration', 'treatments'] }),
})
