import * as v from 'valibot'
import { experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { type Holdout, type HoldoutKeys, holdouts } from '../../models/holdouts/holdout.ts'
import { endMeasurement } from '../../models/measurements/write-measurement.ts'
import { semanticPatchBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { applyInstructions, changeDocument } from '../../operation/document-operations/change-document.ts'
import { refuse } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { key, name, text } from '../../operation/schema.ts'
import { holdoutResponse, relatedExperiments, serializeHoldout } from './holdout-schema.ts'

/**
 * Schema of an instruction of a semantic patch of a holdout
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: patchHoldout).
 */
const holdoutInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('endHoldout') }),
  v.strictObject({ kind: v.literal('removeExperiment'), value: key() }),
  v.strictObject({ kind: v.literal('updateDescription'), value: text() }),
  v.strictObject({ kind: v.literal('updateName'), value: name() }),
])

type HoldoutInstruction = v.InferOutput<typeof holdoutInstruction>

export const patchHoldout = operation({
  id: 'patchHoldout',
  summary: 'Update a holdout, end it, or remove an experiment from it',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts/{holdoutKey}',
  beta: 'tagged',
  body: semanticPatchBody(holdoutInstruction),
  success: { status: 200, body: holdoutResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: holdouts.changeActions,
    resource: holdouts.template,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const after = await changeDocument(context, holdouts, params, async (before) => {
      const holdout = await applyInstructions(before, body.instructions, (holdout, instruction, path) =>
        applyInstruction(context, holdout, instruction, { keys: params, path }),
      )
      return { ...holdout, updatedAt: context.readClock() }
    })
    return serializeHoldout(context, after, params)
  },
})

/** The holdout that an instruction changes, and the position of the instruction in the request. */
interface InstructionOptions {
  readonly keys: HoldoutKeys
  readonly path: string
}

async function applyInstruction(
  context: WriteContext,
  holdout: Holdout,
  instruction: HoldoutInstruction,
  options: InstructionOptions,
): Promise<Holdout> {
  switch (instruction.kind) {
    case 'updateName':
      return { ...holdout, name: instruction.value }
    case 'updateDescription':
      return { ...holdout, description: instruction.value }
    case 'endHoldout':
      return ended(context, holdout, options)
    case 'removeExperiment':
      await removeExperiment(
        context,
        holdout,
        { ...options.keys, experimentKey: instruction.value },
        `${options.path}.value`,
      )
      return holdout
  }
}

/**
 * Ends a holdout. Refused while one of its experiments is running, because the end would change the contexts of the
 * experiment.
 */
async function ended(context: WriteContext, holdout: Holdout, { keys, path }: InstructionOptions): Promise<Holdout> {
  const related = await relatedExperiments(context.tx, keys, holdout)
  const running = related.filter((experiment) => runningIteration(experiment)).map(({ key }) => key)
  if (running.length > 0) refuse(path, `must follow the end of the iterations of ${running.join(', ')}`)
  for (const experiment of related) {
    context.tx.expect(experiments, { ...keys, experimentKey: experiment.key }, experiment)
  }
  const endedAt = holdout.endedAt ?? context.readClock()
  await endMeasurement(context.tx, keys, { measurementId: holdout.id, endedAt })
  return { ...holdout, endedAt }
}

async function removeExperiment(
  { tx }: WriteContext,
  { id }: Holdout,
  keys: HoldoutKeys & { readonly experimentKey: string },
  attribute: string,
): Promise<void> {
  const experiment = await tx.get(experiments, keys)
  if (!experiment || experiment.holdoutId !== id) {
    return refuse(attribute, 'must be the key of an experiment in the holdout')
  }
  if (runningIteration(experiment)) refuse(attribute, 'must be the key of an experiment without a running iteration')
  tx.follow(experiments, keys, experiment, { ...experiment, holdoutId: undefined })
}
