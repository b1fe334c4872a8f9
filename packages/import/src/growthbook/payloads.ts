import { defaultEnvironmentKey, type ExportError, type ReadOptions } from '../flag-format.ts'
import type { Loss } from '../imported-project.ts'
import { errorAt, pointer, readShape, unknownProperties } from '../read-shape.ts'
import type { FeatureAtPath, GrowthBookExport } from './growthbook-export.ts'
import { readManagementPages } from './management-pages.ts'
import { payloadShape } from './payload.ts'

/**
 * Reads the SDK payload of one environment; or pages of `/api/v1/features`, with all environments that they contain,
 * and of `/api/v1/saved-groups`.
 */
export function readPayloads(values: readonly unknown[], options: ReadOptions): GrowthBookExport | ExportError {
  const [first] = values
  if (!isObject(first) && !Array.isArray(first)) return errorAt('', 'must contain features')
  if (values.length > 1 || Array.isArray(first) || Array.isArray(first.features))
    return readManagementPages(values, options)
  if ('encryptedFeatures' in first) return errorAt(pointer('', 'encryptedFeatures'), 'must be decrypted first')
  const read = readShape(payloadShape, first, '')
  if (!read.ok) return read
  const features = Object.entries(read.value.features).map(([id, definition]): [string, FeatureAtPath] => [
    id,
    { definition, on: true, path: pointer('', 'features', id) },
  ])
  const environmentKey = options.environmentKey ?? defaultEnvironmentKey
  const payload = { environmentKey, features: new Map(features), savedGroups: read.value.savedGroups ?? {} }
  return { ok: true, payloads: [payload], metadata: new Map(), losses: payloadLosses(first) }
}

const ofPayload = new Set(['features', 'savedGroups', 'status', 'dateUpdated', 'sseSupport', 'experiments'])

/** Experiments that belong to no feature change web pages directly. */
function payloadLosses(payload: Readonly<Record<string, unknown>>): Loss[] {
  const { experiments } = payload
  const hasPages = Array.isArray(experiments) && experiments.length > 0
  const why = 'they change pages in browsers, without a flag'
  const what = 'visual and redirect experiments'
  const pageLoss: Loss = { at: pointer('', 'experiments'), what, why, instead: 'nothing', affects: 'nothing' }
  return [...(hasPages ? [pageLoss] : []), ...unknownProperties(payload, ofPayload, { at: '', owner: {} })]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
