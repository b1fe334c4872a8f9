import { withoutIteration } from '../../models/experiments/displaced-iterations.ts'
import { endIteration, layerOf } from '../../models/experiments/end-iteration.ts'
import {
  draftIteration,
  type Experiment,
  type ExperimentKeys,
  runningIteration,
  withIteration,
} from '../../models/experiments/experiment.ts'
import type { Iteration, IterationServing } from '../../models/experiments/iteration.ts'
import type { Holdout } from '../../models/holdouts/holdout.ts'
import { measureHoldout } from '../../models/holdouts/holdout-measurement.ts'
import { layers } from '../../models/layers/layer.ts'
import type { WriteContext } from '../../operation/context.ts'
import { refuse } from '../../operation/errors.ts'
import { experimentRollout, withOneVariation } from '../../rules/experiments/experiment-rollout.ts'
import { replaceServe, servedByRule, withRuleBefore } from '../../rules/experiments/iteration-targeting.ts'
import { movedShare } from '../../rules/experiments/moved-share.ts'
import { allBuckets } from '../../rules/experiments/reserve-buckets.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import { findHoldout } from './experiment-holdout.ts'
import { holdoutRule } from './holdout-rule.ts'
import { measureIteration } from './measure-iteration.ts'
import { randomizationUnitsOf } from './new-iteration.ts'
import { newSeed } from './new-seed.ts'
import { loadSubject, type SubjectState, saveSubject } from './subject-state.ts'

/** Maximum number of iterations of an experiment. */
const maxIterations = 100

/** Adds an iteration that has not started. It replaces an earlier iteration that has not started. */
export function withDraft(experiment: Experiment, iteration: Iteration): Experiment {
  const iterations = [...experiment.iterations.filter(({ status }) => status !== 'not_started'), iteration]
  if (iterations.length > maxIterations)
    refuse('iteration', `must not exceed the maximum of ${maxIterations} iterations`)
  return { ...experiment, iterations }
}

/** An experiment that an instruction of a patch changes. */
export interface ExperimentEdit {
  readonly experiment: Experiment
  readonly keys: ExperimentKeys
  /** Prefix of the attributes in errors, e.g. `instructions.0`. */
  readonly path: string
  readonly comment: string | undefined
}

/**
 * Starts the iteration that has not started: its rule serves the rollout of the experiment. A running iteration ends at
 * the same time.
 */
export async function startIteration(
  context: WriteContext,
  edit: ExperimentEdit,
  changeJustification: string | undefined,
): Promise<Experiment> {
  const { experiment, keys, path, comment } = edit
  const draft = draftIteration(experiment) ?? refuse(path, 'must follow the creation of an iteration')
  const running = runningIteration(experiment)
  if (experiment.archived) refuse(path, 'must not start an iteration of an archived experiment')
  if (running && !changeJustification?.trim()) {
    refuse(`${path}.changeJustification`, 'must be present while another iteration is running')
  }
  const ended = running ? await endRunning(context, edit, running) : experiment
  const subject = await requireSubject(context, edit, draft)
  const before = subject.targetings.get(keys.environmentKey) as Targeting & { readonly version: number }
  const isSameSubject = running?.subject.key === draft.subject.key
  const base = running && isSameSubject ? withoutIteration(before, running) : before
  const started = await servedIteration(
    context,
    { iteration: draft, before: base },
    { experiment: ended, keys, path, subject },
  )
  const { iteration, targeting } = started
  const now = context.readClock()
  const stored: Iteration = {
    ...iteration,
    status: 'running',
    startedAt: now,
    flagConfigVersion: before.version + 2,
    ...(changeJustification === undefined ? {} : { changeJustification }),
  }
  if (running && !isSameSubject) await removeServing(context, edit, running)
  await saveSubject(context, subject, {
    projectKey: keys.projectKey,
    environmentKey: keys.environmentKey,
    targeting,
    comment,
    sentences: [({ it }) => `started the experiment ${experiment.key} on ${it}`],
  })
  await measureIteration(context, keys, { experiment: ended, iteration: stored }, subject)
  if (started.holdout) await measureHoldout(context.tx, keys, started.holdout, stored)
  return withIteration(ended, stored)
}

/**
 * Ends the running iteration. If there is a winner, the rule then serves its variation; otherwise the rule serves again
 * what it served before.
 */
export async function stopIteration(
  context: WriteContext,
  edit: ExperimentEdit,
  winner: { readonly winningTreatmentId?: string | undefined; readonly winningReason?: string | undefined },
): Promise<Experiment> {
  const { experiment, keys, path } = edit
  const running = runningIteration(experiment) ?? refuse(path, 'must stop an iteration that is running')
  const { winningTreatmentId, winningReason } = winner
  const treatment = running.treatments.find(({ id }) => id === winningTreatmentId)
  if (winningTreatmentId !== undefined && !treatment) {
    refuse(`${path}.winningTreatmentId`, 'must be the _id of a treatment of the iteration')
  }
  await removeServing(context, edit, running, treatment?.variationId)
  const now = context.readClock()
  return endIteration(context.tx, keys, experiment, { iteration: running, now, winningTreatmentId, winningReason })
}

/** Ends the running iteration because another one starts. */
async function endRunning(
  context: WriteContext,
  { experiment, keys }: ExperimentEdit,
  iteration: Iteration,
): Promise<Experiment> {
  const now = context.readClock()
  const end = { iteration, now, winningTreatmentId: undefined, winningReason: undefined }
  return endIteration(context.tx, keys, experiment, end)
}

/**
 * Removes the rollout of an iteration from its rule. The rule then serves the given variation. Default: what the rule
 * served before the iteration.
 */
async function removeServing(
  context: WriteContext,
  edit: ExperimentEdit,
  iteration: Iteration,
  variationId?: string,
): Promise<void> {
  const { keys, comment } = edit
  const subject = await requireSubject(context, edit, iteration)
  const before = subject.targetings.get(keys.environmentKey) as Targeting
  const targeting = withoutIteration(before, iteration)
  const variation = subject.variations.findIndex(({ _id }) => _id === variationId)
  await saveSubject(context, subject, {
    projectKey: keys.projectKey,
    environmentKey: keys.environmentKey,
    targeting: variation < 0 ? targeting : replaceServe(targeting, iteration.ruleId, { variation }),
    comment,
    sentences: [({ it }) => `ended the experiment ${keys.experimentKey} on ${it}`],
  })
}

async function requireSubject(
  context: WriteContext,
  { keys, path }: ExperimentEdit,
  { subject }: Iteration,
): Promise<SubjectState> {
  const noun = subject.kind === 'flag' ? 'flag' : 'AI config'
  return (
    (await loadSubject(context, keys.projectKey, subject)) ??
    refuse(path, `must have an existing ${noun}: ${subject.key} does not exist`)
  )
}

/** An experiment that starts an iteration, and what the iteration is about. */
interface StartOptions extends Omit<ExperimentEdit, 'comment'> {
  readonly subject: SubjectState
}

/** An iteration with its rollout, and a targeting that serves this rollout. */
interface ServedIteration {
  readonly iteration: Iteration
  readonly targeting: Targeting
  /** The holdout whose contexts are not in the iteration. */
  readonly holdout: Holdout | undefined
}

/** An iteration that starts, and the targeting before it. */
interface StartingIteration {
  readonly iteration: Iteration
  readonly before: Targeting
}

/** Returns an iteration with its rollout, and a targeting that serves this rollout. */
async function servedIteration(
  context: WriteContext,
  { iteration, before }: StartingIteration,
  options: StartOptions,
): Promise<ServedIteration> {
  const { ruleId, treatments, notInExperimentVariationId, randomizationUnit } = iteration
  const { experiment, keys, path, subject } = options
  const served = requireReady(before, iteration, options)
  const { allowed } = await randomizationUnitsOf(context.tx, keys.projectKey)
  if (!allowed.includes(randomizationUnit)) {
    refuse(path, `must have a randomizationUnit of the project: one of ${allowed.join(', ')}`)
  }
  const { buckets, seed } = await trafficOf(context, iteration, options)
  const indexOf = (id: string) => {
    const index = subject.variations.findIndex(({ _id }) => _id === id)
    return index < 0 ? refuse(path, `must use existing variations: ${id} was removed`) : index
  }
  const otherVariation = indexOf(notInExperimentVariationId)
  const rollout = experimentRollout({
    allocations: treatments.map(({ variationId, allocationPercent }) => ({
      variation: indexOf(variationId),
      percent: allocationPercent,
    })),
    otherVariation,
    buckets,
    seed,
    contextKind: randomizationUnit,
  })
  const { holdoutId } = experiment
  const existingHoldout = holdoutId === undefined ? undefined : await findHoldout(context.tx, keys, holdoutId)
  const holdout = existingHoldout?.endedAt === undefined ? existingHoldout : undefined
  const rule =
    holdout &&
    holdoutRule(context.useHost(), holdout, before, { ruleId, rollout: withOneVariation(rollout, otherVariation) })
  const serving: IterationServing = {
    seed,
    before: served,
    movedShare: movedShare(served, { rollout }),
    ...(rule ? { holdoutRuleId: rule._id } : {}),
  }
  const withRollout = replaceServe(before, ruleId, { rollout })
  return {
    iteration: { ...iteration, serving },
    targeting: rule ? withRuleBefore(withRollout, ruleId, rule) : withRollout,
    holdout,
  }
}

/** Requires that a targeting can serve an iteration. Returns what its rule serves. */
function requireReady(
  before: Targeting,
  { ruleId, treatments, subject }: Iteration,
  { path, subject: state }: StartOptions,
) {
  const served = servedByRule(before, ruleId) ?? refuse(path, `must use an existing rule: ${ruleId} was removed`)
  if (state.archived) refuse(path, `must have a flag that is not archived: ${subject.key}`)
  if (!before.on) refuse(path, `must have a flag that is on: ${subject.key}`)
  if (served.rollout?.kind === 'experiment') refuse(path, `must have a rule that serves no other experiment: ${ruleId}`)
  if (treatments.every(({ allocationPercent }) => allocationPercent === 0)) {
    refuse(path, 'must have a treatment with an allocation above 0')
  }
  return served
}

/** Returns the contexts of an iteration: all contexts, or the contexts that a layer reserves for the experiment. */
async function trafficOf(
  context: WriteContext,
  { randomizationUnit, canReshuffleTraffic }: Iteration,
  { experiment: { iterations }, keys, path }: StartOptions,
): Promise<{ readonly buckets: readonly number[]; readonly seed: number }> {
  const { tx } = context
  const reservedLayer = await layerOf(tx, keys)
  if (!reservedLayer) {
    const previous = iterations.findLast(({ serving }) => serving !== undefined)?.serving
    const seed = previous && !canReshuffleTraffic ? previous.seed : newSeed(context)
    return { buckets: allBuckets, seed }
  }
  const { layer, reservation } = reservedLayer
  if (reservation.buckets.length === 0) refuse(path, `must have a reservation above 0 in the layer ${layer.key}`)
  if (layer.randomizationUnit !== undefined && layer.randomizationUnit !== randomizationUnit) {
    refuse(path, `must have the randomizationUnit of the layer ${layer.key}: ${layer.randomizationUnit}`)
  }
  // The commit conflicts with a concurrent change of the reservations.
  const layerKeys = { projectKey: keys.projectKey, layerKey: layer.key }
  if (layer.randomizationUnit === undefined) tx.follow(layers, layerKeys, layer, { ...layer, randomizationUnit })
  else tx.touch(layers, layerKeys, layer)
  return { buckets: reservation.buckets, seed: layer.seed }
}
