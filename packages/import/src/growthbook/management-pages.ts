import type { ExportError, ReadOptions } from '../flag-format.ts'
import type { Loss } from '../imported-project.ts'
import { errorAt, pointer, readShape, unknownProperties } from '../read-shape.ts'
import type { EnvironmentPayload, FeatureAtPath, FeatureMetadata, GrowthBookExport } from './growthbook-export.ts'
import {
  definitionShape,
  type GrowthBookGroup,
  type RestFeature,
  restFeatureShape,
  restSavedGroupShape,
} from './payload.ts'

interface Pages {
  readonly features: { readonly feature: RestFeature; readonly at: string }[]
  readonly savedGroups: Record<string, GrowthBookGroup>
}

/** Reads pages of the management API, one after the other or in a list, and combines them by environment. */
export function readManagementPages(
  values: readonly unknown[],
  { environmentKey }: ReadOptions,
): GrowthBookExport | ExportError {
  const pages: Pages = { features: [], savedGroups: {} }
  const list = values.length === 1 && Array.isArray(values[0]) ? values[0] : values
  const error = readPages(list, pages)
  if (error) return error
  const keys = [...new Set(pages.features.flatMap(({ feature }) => Object.keys(feature.environments)))]
  const requestedKeys = keys.filter((key) => environmentKey === undefined || key === environmentKey)
  if (requestedKeys.length === 0)
    return errorAt('', `must contain features of the environment ${environmentKey ?? ''}`.trim())
  const payloads: EnvironmentPayload[] = []
  for (const key of requestedKeys) {
    const payload = payloadOf(key, pages)
    if ('ok' in payload) return payload
    payloads.push(payload)
  }
  const metadata = new Map(pages.features.map(({ feature, at }) => [feature.id, metadataOf(feature, at)]))
  return { ok: true, payloads, metadata, losses: [] }
}

function readPages(list: readonly unknown[], target: Pages): ExportError | undefined {
  for (const [index, page] of list.entries()) {
    const at = list.length === 1 ? '' : pointer('', index)
    const { features, savedGroups } = (page ?? {}) as { readonly [member: string]: unknown }
    const isSinglePage = features === undefined && savedGroups === undefined
    const error = readFeatures(
      isSinglePage ? [page] : features,
      { at: isSinglePage ? at : pointer(at, 'features'), isSingle: isSinglePage },
      target,
    )
    const groupError = error ?? readGroups(savedGroups, pointer(at, 'savedGroups'), target)
    if (groupError) return groupError
  }
}

/** The position of features in an export. */
interface FeaturePosition {
  readonly at: string
  readonly isSingle: boolean
}

function readFeatures(list: unknown, { at, isSingle }: FeaturePosition, target: Pages): ExportError | undefined {
  if (list === undefined) return
  if (!Array.isArray(list)) return errorAt(at, 'must be a list')
  for (const [index, value] of list.entries()) {
    const position = isSingle ? at : pointer(at, index)
    const read = readShape(restFeatureShape, value, position)
    if (!read.ok) return read
    target.features.push({ feature: read.value, at: position })
  }
}

function readGroups(list: unknown, at: string, target: Pages): ExportError | undefined {
  if (list === undefined) return
  if (!Array.isArray(list)) return errorAt(at, 'must be a list')
  for (const [index, value] of list.entries()) {
    const read = readShape(restSavedGroupShape, value, pointer(at, index))
    if (!read.ok) return read
    const { id, ...group } = read.value
    target.savedGroups[id] = { ...group, type: group.type ?? 'list' }
  }
}

function payloadOf(environmentKey: string, { features, savedGroups }: Pages): EnvironmentPayload | ExportError {
  const locatedFeatures = new Map<string, FeatureAtPath>()
  for (const { feature, at } of features) {
    const read = readFeature(feature, environmentKey, at)
    if (read === undefined) continue
    if ('ok' in read) return read
    locatedFeatures.set(feature.id, read)
  }
  return { environmentKey, features: locatedFeatures, savedGroups }
}

/**
 * Reads a feature in one environment; undefined when the feature is not in that environment. Its definition, which SDKs
 * evaluate, is a JSON text. For a feature that is off, only the default value is read.
 */
function readFeature(feature: RestFeature, key: string, at: string): FeatureAtPath | ExportError | undefined {
  const environment = feature.environments[key]
  if (!environment) return undefined
  const position = pointer(at, 'environments', key)
  const { definition, enabled } = environment
  if (enabled && !feature.archived && typeof definition === 'string') {
    const read = readShape(definitionShape, parseJson(definition), pointer(position, 'definition'))
    return read.ok ? { definition: read.value, on: true, path: position } : read
  }
  const defaultValue = valueIn(feature, environment.defaultValue ?? feature.defaultValue ?? '')
  if (defaultValue === undefined) return errorAt(pointer(position, 'defaultValue'), `must be a ${feature.valueType}`)
  const omittedRules = environment.rules?.length
  return { definition: { defaultValue }, on: false, path: position, ...(omittedRules ? { omittedRules } : {}) }
}

/** Converts a value of the management API, which is always a text. */
function valueIn({ valueType }: RestFeature, text: string): unknown {
  if (valueType === 'string') return text
  if (valueType === 'boolean') return text === 'true'
  const value = parseJson(text)
  return valueType === 'number' && typeof value !== 'number' ? undefined : value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ofFeature = new Set([
  ...[
    'id',
    'dateCreated',
    'dateUpdated',
    'archived',
    'description',
    'valueType',
    'defaultValue',
    'tags',
    'environments',
  ],
  ...['revision', 'prerequisites', 'rules', 'owner', 'ownerEmail', 'project'],
])

function metadataOf(feature: RestFeature, at: string): FeatureMetadata {
  const { description, tags, archived, owner, project } = feature
  return {
    ...(description ? { description } : {}),
    tags: tags ?? [],
    archived: archived ?? false,
    losses: [
      ...(owner ? [ownershipLoss('owner', owner, 'set a maintainer')] : []),
      ...(project ? [ownershipLoss('project', project, 'import each project separately, with --project')] : []),
      ...unknownProperties(feature, ofFeature, { at, owner: {} }),
    ],
  }
}

function ownershipLoss(what: string, name: unknown, instead: string): Loss {
  return { what: `${what} ${name}`, why: 'it has another name in Halyard', instead, affects: 'nothing' }
}
