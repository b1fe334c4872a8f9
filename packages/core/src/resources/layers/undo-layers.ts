import { experiments, runningIteration } from '../../models/experiments/experiment.ts'
import { type Layer, type LayerReservation, layers, reservationName } from '../../models/layers/layer.ts'
import type { UndoContext, UndoRules } from '../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/** Rules for undoing changes of layers. They validate reservations like the operation that changes reservations. */
export const undoLayers: UndoRules<Layer, typeof layers.template> = {
  async update(context, { keys, current, wanted }) {
    await requireStopped(context, keys.projectKey, { current, wanted })
    requireDisjoint(context, wanted)
    context.tx.replace(layers, keys, current, wanted)
  },
}

/** The current state of a layer, and the one that is restored. */
interface RestoredLayer {
  readonly current: Layer
  readonly wanted: Layer
}

/** Requires that no experiment is running whose reservation changes. */
async function requireStopped(
  context: UndoContext,
  projectKey: string,
  { current, wanted }: RestoredLayer,
): Promise<void> {
  const isIn =
    ({ reservations }: Layer) =>
    (entry: LayerReservation) =>
      reservations.some((other) => jsonEqual(entry, other))
  const changed = [
    ...current.reservations.filter((entry) => !isIn(wanted)(entry)),
    ...wanted.reservations.filter((entry) => !isIn(current)(entry)),
  ]
  for (const { environmentKey, experimentKey } of changed) {
    const experimentKeys = { projectKey, environmentKey, experimentKey }
    const experiment = await context.tx.get(experiments, experimentKeys)
    if (!experiment) continue
    if (runningIteration(experiment)) {
      const reason = `must not change while an iteration of ${experimentKey} is running`
      context.fail('invalid_request', { errors: [{ attribute: 'reservations', reason }] })
    }
    context.tx.expect(experiments, experimentKeys, experiment)
  }
}

/** Requires that no context is reserved twice in an environment. */
function requireDisjoint({ fail }: UndoContext, { reservations }: Layer): void {
  const seen = new Set<string>()
  for (const { environmentKey, buckets } of reservations) {
    for (const bucket of buckets) {
      const name = reservationName(environmentKey, String(bucket))
      if (seen.has(name)) {
        const reason = `must not overlap in ${environmentKey}`
        fail('invalid_request', { errors: [{ attribute: 'reservations', reason }] })
      }
      seen.add(name)
    }
  }
}
