import * as v from 'valibot'
import { layerOf } from '../../models/experiments/end-iteration.ts'
import { draftIteration, experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { type Layer, type LayerReservation, layers } from '../../models/layers/layer.ts'
import { semanticPatchBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { applyInstructions, changeDocument } from '../../operation/document-operations/change-document.ts'
import { refuse } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { key, name, text } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { reserveBuckets } from '../../rules/experiments/reserve-buckets.ts'
import { layerResponse, serializeLayer } from './layer-schema.ts'
import { undoLayers } from './undo-layers.ts'

const reservationPercent = v.pipe(
  v.number(),
  v.integer('must be an integer'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(100, 'must be at most 100'),
)

/**
 * Schema of an instruction of a semantic patch of a layer
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: updateLayer).
 */
const layerInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('updateName'), name: name() }),
  v.strictObject({ kind: v.literal('updateDescription'), description: text() }),
  v.strictObject({ kind: v.literal('updateExperimentReservation'), experimentKey: key(), reservationPercent }),
  v.strictObject({ kind: v.literal('removeExperiment'), experimentKey: key() }),
])

type LayerInstruction = v.InferOutput<typeof layerInstruction>

export const updateLayer = operation({
  id: 'updateLayer',
  undo: [undoOf(layers, undoLayers)],
  summary: 'Update a layer, and the traffic that it reserves for experiments',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/layers/{layerKey}',
  body: semanticPatchBody(layerInstruction),
  success: { status: 200, body: layerResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: layers.changeActions,
    resource: layers.template,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const after = await changeDocument(context, layers, params, (before) =>
      applyInstructions(before, body.instructions, (layer, instruction, path) =>
        applyInstruction(context, layer, instruction, { ...params, environmentKey: body.environmentKey, path }),
      ),
    )
    return serializeLayer(context, after, params)
  },
})

interface InstructionOptions {
  readonly projectKey: string
  readonly environmentKey: string | undefined
  readonly path: string
}

async function applyInstruction(
  context: WriteContext,
  layer: Layer,
  instruction: LayerInstruction,
  options: InstructionOptions,
): Promise<Layer> {
  switch (instruction.kind) {
    case 'updateName':
      return { ...layer, name: instruction.name }
    case 'updateDescription':
      return { ...layer, description: instruction.description }
    case 'updateExperimentReservation':
      return withReservation(context, layer, instruction, options)
    case 'removeExperiment':
      return withoutReservation(context, layer, instruction.experimentKey, options)
  }
}

async function withReservation(
  context: WriteContext,
  layer: Layer,
  { experimentKey, reservationPercent }: Extract<LayerInstruction, { kind: 'updateExperimentReservation' }>,
  options: InstructionOptions,
): Promise<Layer> {
  const { projectKey, path } = options
  const environmentKey = requireEnvironmentKey(options)
  const keys = { projectKey, environmentKey, experimentKey }
  const [experiment, other] = await Promise.all([requireStopped(context, keys, path), layerOf(context.tx, keys)])
  if (!experiment) return refuse(`${path}.experimentKey`, 'must be the key of an experiment of the environment')
  if (other && other.layer.key !== layer.key) {
    refuse(
      `${path}.experimentKey`,
      `must be the key of an experiment in no other layer: ${other.layer.key} contains it`,
    )
  }
  const flagKey = (draftIteration(experiment) ?? experiment.iterations.at(-1))?.subject.key ?? ''
  const isOwn = (entry: LayerReservation) =>
    entry.environmentKey === environmentKey && entry.experimentKey === experimentKey
  const others = layer.reservations.filter((entry) => !isOwn(entry))
  const reservedBuckets = others
    .filter((entry) => entry.environmentKey === environmentKey)
    .flatMap(({ buckets }) => buckets)
  const ownBuckets = layer.reservations.find(isOwn)?.buckets ?? []
  const buckets =
    reserveBuckets(ownBuckets, reservedBuckets, reservationPercent) ??
    refuse(`${path}.reservationPercent`, `must be at most ${100 - reservedBuckets.length}, the free part of the layer`)
  return { ...layer, reservations: [...others, { environmentKey, experimentKey, flagKey, buckets }] }
}

async function withoutReservation(
  context: WriteContext,
  layer: Layer,
  experimentKey: string,
  options: InstructionOptions,
): Promise<Layer> {
  const environmentKey = requireEnvironmentKey(options)
  await requireStopped(context, { projectKey: options.projectKey, environmentKey, experimentKey }, options.path)
  const reservations = layer.reservations.filter(
    (entry) => entry.environmentKey !== environmentKey || entry.experimentKey !== experimentKey,
  )
  return { ...layer, reservations }
}

/** Requires that no iteration of an experiment is running, because the traffic of an iteration does not change. */
async function requireStopped(
  { tx }: WriteContext,
  keys: { readonly projectKey: string; readonly environmentKey: string; readonly experimentKey: string },
  path: string,
) {
  const experiment = await tx.get(experiments, keys)
  if (experiment && runningIteration(experiment)) {
    refuse(`${path}.experimentKey`, 'must be the key of an experiment without a running iteration')
  }
  // The commit conflicts with a concurrent start of the experiment.
  if (experiment) tx.expect(experiments, keys, experiment)
  return experiment
}

function requireEnvironmentKey({ environmentKey }: InstructionOptions): string {
  return environmentKey ?? refuse('environmentKey', 'must be present for instructions about an experiment')
}
