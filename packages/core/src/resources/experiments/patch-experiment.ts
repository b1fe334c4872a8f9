import * as v from 'valibot'
import { type Experiment, experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { semanticPatchBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { applyInstructions, changeDocument } from '../../operation/document-operations/change-document.ts'
import { fail, refuse } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { memberReference } from '../members/member-reference.ts'
import { validateHoldout } from './experiment-holdout.ts'
import { type ExperimentInstruction, experimentInstruction, servingKinds } from './experiment-instruction.ts'
import { experimentResponse, serializeExperiment } from './experiment-schema.ts'
import { type ExperimentEdit, startIteration, stopIteration, withDraft } from './iteration-changes.ts'
import { newIteration } from './new-iteration.ts'

export const patchExperiment = operation({
  id: 'patchExperiment',
  summary: 'Update an experiment, start or stop its iterations',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}',
  query: v.object(bypassQuery),
  body: semanticPatchBody(experimentInstruction),
  success: { status: 200, body: experimentResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: {
    action: experiments.changeActions,
    resource: experiments.template,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { instructions, comment } = body
    const after = await changeDocument(context, experiments, params, (before) => {
      const serving = instructions.filter(({ kind }) => servingKinds.includes(kind))
      if (serving.length > 1) refuse('instructions', `must contain at most one of ${servingKinds.join(', ')}`)
      return applyInstructions(before, instructions, (experiment, instruction, path) =>
        applyInstruction(context, { experiment, keys: params, path, comment }, instruction),
      )
    })
    return serializeExperiment(context, after, params, { expand: ['draftIteration', 'treatments'] })
  },
})

async function applyInstruction(
  context: WriteContext,
  edit: ExperimentEdit,
  instruction: ExperimentInstruction,
): Promise<Experiment> {
  const { experiment, keys, path } = edit
  switch (instruction.kind) {
    case 'updateName':
      return { ...experiment, name: instruction.value }
    case 'updateDescription':
      return { ...experiment, description: instruction.value }
    case 'updateExperimentFields':
      return withFields(context, edit, instruction)
    case 'saveAndStartNewIteration': {
      const { iteration, errors } = await newIteration(context, keys, instruction.iteration, `${path}.iteration.`)
      if (!iteration) return fail('invalid_request', { errors })
      const saved = withDraft(experiment, iteration)
      return startIteration(context, { ...edit, experiment: saved }, instruction.changeJustification)
    }
    case 'startIteration':
      return startIteration(context, edit, instruction.changeJustification)
    case 'stopIteration':
      return stopIteration(context, edit, instruction)
    case 'archiveExperiment':
      return archived(context, edit)
    case 'restoreExperiment':
      return { ...experiment, archived: false, archivedAt: undefined }
  }
}

function archived(context: WriteContext, { experiment, path }: ExperimentEdit): Experiment {
  if (runningIteration(experiment)) refuse(path, 'must follow the end of the running iteration')
  return experiment.archived ? experiment : { ...experiment, archived: true, archivedAt: context.readClock() }
}

async function withFields(
  { tx }: WriteContext,
  { experiment, keys, path }: ExperimentEdit,
  { kind: _, ...fields }: Extract<ExperimentInstruction, { kind: 'updateExperimentFields' }>,
): Promise<Experiment> {
  const { maintainerId, holdoutId } = fields
  const isNewHoldout = holdoutId !== undefined && holdoutId !== experiment.holdoutId
  const errors = [
    ...(await validateReferences(
      tx,
      maintainerId === undefined ? [] : [memberReference('maintainerId', maintainerId)],
    )),
    ...(isNewHoldout ? await validateHoldout(tx, keys, holdoutId) : []),
    ...(isNewHoldout && runningIteration(experiment)
      ? [{ attribute: 'holdoutId', reason: 'must not change while an iteration is running' }]
      : []),
  ]
  if (errors.length > 0) {
    fail('invalid_request', {
      errors: errors.map(({ attribute, reason }) => ({ attribute: `${path}.${attribute}`, reason })),
    })
  }
  return { ...experiment, ...fields }
}
