import { type ExportFault, presetEnvironment, type ReadOptions } from '../flag-format.ts'
import type { Loss } from '../moved-project.ts'
import { faultAt, pointer, readShape, strangers } from '../read-shape.ts'
import type { GrowthBookDefinition, GrowthBookGroup } from './payload.ts'
import { payloadShape } from './payload.ts'
import { readRest } from './rest.ts'

/** What is evaluated in an environment. */
export interface PlacedPayload {
  readonly environmentKey: string
  /** In the order of the export. A feature that is off is there without its definition. */
  readonly features: ReadonlyMap<string, PlacedFeature>
  readonly savedGroups: Readonly<Record<string, GrowthBookGroup>>
}

export interface PlacedFeature {
  readonly definition: GrowthBookDefinition
  /** Whether an SDK gets a value at all. */
  readonly on: boolean
  /** How many rules there are that the export does not tell, as the feature is off. */
  readonly untold?: number
  /** Where it stands in the export. */
  readonly at: string
}

/** What is told of a feature besides what is evaluated. */
export interface FeatureCard {
  readonly description?: string
  readonly tags: readonly string[]
  readonly archived: boolean
  readonly losses: readonly Omit<Loss, 'flag'>[]
}

export interface GrowthBookExport {
  readonly ok: true
  readonly payloads: readonly PlacedPayload[]
  readonly cards: ReadonlyMap<string, FeatureCard>
  /** Of the export as a whole. */
  readonly losses: readonly Loss[]
}

/**
 * Reads what an SDK is sent of one environment; or pages of `/api/v1/features`, with as many environments as they tell of, and of
 * `/api/v1/saved-groups`.
 */
export function readPayloads(values: readonly unknown[], options: ReadOptions): GrowthBookExport | ExportFault {
  const [first] = values
  if (!isObject(first) && !Array.isArray(first)) return faultAt('', 'must hold features')
  if (values.length > 1 || Array.isArray(first) || Array.isArray(first.features)) return readRest(values, options)
  if ('encryptedFeatures' in first) return faultAt(pointer('', 'encryptedFeatures'), 'must be decrypted before')
  const read = readShape(payloadShape, first, '')
  if (!read.ok) return read
  const features = Object.entries(read.value.features).map(([id, definition]): [string, PlacedFeature] => [
    id,
    { definition, on: true, at: pointer('', 'features', id) },
  ])
  const environmentKey = options.environmentKey ?? presetEnvironment
  const payload = { environmentKey, features: new Map(features), savedGroups: read.value.savedGroups ?? {} }
  return { ok: true, payloads: [payload], cards: new Map(), losses: payloadLosses(first) }
}

const ofPayload = new Set(['features', 'savedGroups', 'status', 'dateUpdated', 'sseSupport', 'experiments'])

/** Experiments that no feature has change pages by themselves. */
function payloadLosses(payload: Readonly<Record<string, unknown>>): Loss[] {
  const { experiments } = payload
  const pages = Array.isArray(experiments) && experiments.length > 0
  const why = 'they change pages in browsers, without a flag'
  const what = 'visual and redirect experiments'
  const told: Loss = { at: pointer('', 'experiments'), what, why, instead: 'nothing', affects: 'nothing' }
  return [...(pages ? [told] : []), ...strangers(payload, ofPayload, '', {})]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
