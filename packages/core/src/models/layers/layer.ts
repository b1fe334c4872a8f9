import type { Subject } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** A set of experiments of a project in which no context is in two experiments of the same environment. */
export interface Layer extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  /** Hashed with the keys of contexts by all experiments of the layer. */
  readonly seed: number
  /** Kind of the contexts of all experiments in the layer; the first experiment that starts sets it. */
  readonly randomizationUnit?: string
  readonly reservations: readonly LayerReservation[]
  /** Integer ms. */
  readonly createdAt: number
}

/** The part of the traffic of a layer that an experiment has. */
export interface LayerReservation {
  readonly environmentKey: string
  readonly experimentKey: string
  /** Key of the flag or AI config of the experiment. */
  readonly flagKey: string
  /**
   * Buckets, 0 to 99, in ascending order: each is one hundredth of the contexts. No two reservations of an environment
   * share a bucket.
   */
  readonly buckets: readonly number[]
}

/** Returns sentences about the reservations that changed. */
function reservationSentences(before: Layer, after: Layer, { it }: Subject): string[] {
  const sizeIn = (layer: Layer, { environmentKey, experimentKey }: LayerReservation) =>
    layer.reservations.find((other) => other.environmentKey === environmentKey && other.experimentKey === experimentKey)
      ?.buckets.length
  const removed = before.reservations.filter((reservation) => sizeIn(after, reservation) === undefined)
  const changed = after.reservations.filter((reservation) => sizeIn(before, reservation) !== reservation.buckets.length)
  return [
    ...removed.map(({ experimentKey }) => `removed the experiment ${experimentKey} from ${it}`),
    ...changed.map(
      ({ experimentKey, buckets }) =>
        `set the reservation of the experiment ${experimentKey} in ${it} to ${buckets.length} %`,
    ),
  ]
}

/** Returns reservations as responses show them. */
export function shownReservations(reservations: readonly LayerReservation[]) {
  const environmentKeys = [...new Set(reservations.map(({ environmentKey }) => environmentKey))]
  const environments = environmentKeys.map((key) => {
    const entries = reservations.filter(({ environmentKey }) => environmentKey === key)
    const serializedEntries = entries.map(({ experimentKey, flagKey, buckets }) => ({
      experimentKey,
      flagKey,
      reservationPercent: buckets.length,
    }))
    return [key, { reservations: serializedEntries }]
  })
  return { environments: Object.fromEntries(environments) as Record<string, { reservations: ShownReservation[] }> }
}

/** A reservation in a response. */
interface ShownReservation {
  readonly experimentKey: string
  readonly flagKey: string
  readonly reservationPercent: number
}

export const layers = documents<Layer>()({
  name: 'layer',
  address: 'proj/{projectKey}:layer/{layerKey}',
  fields: ({ name, reservations }) => ({
    name,
    experimentKeys: [...new Set(reservations.map(({ experimentKey }) => experimentKey))],
    reservations: reservations.map(({ environmentKey, experimentKey }) =>
      reservationName(environmentKey, experimentKey),
    ),
  }),
  shown: { seed: null, reservations: shownReservations, createdAt: shownTime('createdAt') },
  sentences: { changed: { reservations: reservationSentences, randomizationUnit: 'randomization unit' } },
  changes: {
    key: null,
    name: 'updateLayer',
    description: 'updateLayer',
    seed: null,
    randomizationUnit: null,
    reservations: 'updateLayer',
    createdAt: null,
  },
})

/** Returns the name of a reservation in the index. */
export function reservationName(environmentKey: string, experimentKey: string): string {
  return `${environmentKey} ${experimentKey}`
}
