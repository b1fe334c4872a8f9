import type { Reader } from '../../storage/reader.ts'
import type { Writer } from '../../storage/writer.ts'
import { layers, reservationName } from '../layers/layer.ts'
import { endMeasurement } from '../measurements/write-measurement.ts'
import { endInHoldout } from './end-in-holdout.ts'
import { type Experiment, type ExperimentKeys, withIteration } from './experiment.ts'
import type { Iteration, LayerSnapshot } from './iteration.ts'

/** The end of an iteration. */
export interface IterationEnd {
  readonly iteration: Iteration
  /** Integer ms. */
  readonly now: number
  readonly winningTreatmentId: string | undefined
  readonly winningReason: string | undefined
}

/**
 * Stops the counting of an iteration, for its experiment and for the holdout.
 *
 * @returns the experiment whose iteration has ended, with the share that it had in its layer.
 */
export async function endIteration(
  tx: Writer,
  keys: ExperimentKeys,
  experiment: Experiment,
  { iteration, now, winningTreatmentId, winningReason }: IterationEnd,
): Promise<Experiment> {
  await endMeasurement(tx, keys, { measurementId: iteration.id, endedAt: now })
  if (experiment.holdoutId !== undefined)
    await endInHoldout(tx, keys, { holdoutId: experiment.holdoutId, iteration }, now)
  const layerSnapshot = await snapshotOfLayer(tx, keys)
  return withIteration(experiment, {
    ...iteration,
    status: 'stopped',
    endedAt: now,
    ...(winningTreatmentId === undefined ? {} : { winningTreatmentId }),
    ...(winningReason === undefined ? {} : { winningReason }),
    ...(layerSnapshot ? { layerSnapshot } : {}),
  })
}

/** Returns the layer in which an experiment has a reservation. */
export async function layerOf(tx: Reader, { projectKey, environmentKey, experimentKey }: ExperimentKeys) {
  const value = reservationName(environmentKey, experimentKey)
  const { items } = await tx.list(
    layers,
    { projectKey },
    { where: [{ op: 'equals', field: 'reservations', value }], limit: 1 },
  )
  const [layer] = items
  const reservation = layer?.reservations.find(
    (entry) => entry.environmentKey === environmentKey && entry.experimentKey === experimentKey,
  )
  return layer && reservation && { layer, reservation }
}

async function snapshotOfLayer(tx: Reader, keys: ExperimentKeys): Promise<LayerSnapshot | undefined> {
  const reservedLayer = await layerOf(tx, keys)
  if (!reservedLayer) return undefined
  const { layer, reservation } = reservedLayer
  const others = layer.reservations.filter(
    (entry) => entry !== reservation && entry.environmentKey === keys.environmentKey,
  )
  return {
    key: layer.key,
    name: layer.name,
    reservationPercent: reservation.buckets.length,
    otherReservationPercent: others.reduce((sum, { buckets }) => sum + buckets.length, 0),
  }
}
