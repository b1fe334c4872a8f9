import type { ExportFault, ReadOptions } from '../flag-format.ts'
import type { Loss } from '../moved-project.ts'
import { faultAt, pointer, readShape, strangers } from '../read-shape.ts'
import type { FeatureCard, GrowthBookExport, PlacedFeature, PlacedPayload } from './growthbook-export.ts'
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
export function readRest(values: readonly unknown[], { environmentKey }: ReadOptions): GrowthBookExport | ExportFault {
  const pages: Pages = { features: [], savedGroups: {} }
  const list = values.length === 1 && Array.isArray(values[0]) ? values[0] : values
  const fault = readPages(list, pages)
  if (fault) return fault
  const keys = [...new Set(pages.features.flatMap(({ feature }) => Object.keys(feature.environments)))]
  const asked = keys.filter((key) => environmentKey === undefined || key === environmentKey)
  if (asked.length === 0) return faultAt('', `must contain features of the environment ${environmentKey ?? ''}`.trim())
  const payloads: PlacedPayload[] = []
  for (const key of asked) {
    const payload = payloadOf(key, pages)
    if ('ok' in payload) return payload
    payloads.push(payload)
  }
  const cards = new Map(pages.features.map(({ feature, at }) => [feature.id, cardOf(feature, at)]))
  return { ok: true, payloads, cards, losses: [] }
}

function readPages(list: readonly unknown[], into: Pages): ExportFault | undefined {
  for (const [index, page] of list.entries()) {
    const at = list.length === 1 ? '' : pointer('', index)
    const { features, savedGroups } = (page ?? {}) as { readonly [member: string]: unknown }
    const whole = features === undefined && savedGroups === undefined
    const fault = readFeatures(whole ? [page] : features, whole ? at : pointer(at, 'features'), whole, into)
    const other = fault ?? readGroups(savedGroups, pointer(at, 'savedGroups'), into)
    if (other) return other
  }
}

function readFeatures(list: unknown, at: string, isOne: boolean, into: Pages): ExportFault | undefined {
  if (list === undefined) return
  if (!Array.isArray(list)) return faultAt(at, 'must be a list')
  for (const [index, value] of list.entries()) {
    const place = isOne ? at : pointer(at, index)
    const read = readShape(restFeatureShape, value, place)
    if (!read.ok) return read
    into.features.push({ feature: read.value, at: place })
  }
}

function readGroups(list: unknown, at: string, into: Pages): ExportFault | undefined {
  if (list === undefined) return
  if (!Array.isArray(list)) return faultAt(at, 'must be a list')
  for (const [index, value] of list.entries()) {
    const read = readShape(restSavedGroupShape, value, pointer(at, index))
    if (!read.ok) return read
    const { id, ...group } = read.value
    into.savedGroups[id] = { ...group, type: group.type ?? 'list' }
  }
}

function payloadOf(environmentKey: string, { features, savedGroups }: Pages): PlacedPayload | ExportFault {
  const placed = new Map<string, PlacedFeature>()
  for (const { feature, at } of features) {
    const read = placedFeature(feature, environmentKey, at)
    if (read === undefined) continue
    if ('ok' in read) return read
    placed.set(feature.id, read)
  }
  return { environmentKey, features: placed, savedGroups }
}

/** The page contains the definition that SDKs evaluate as JSON text. A feature that is off has only its default. */
function placedFeature(feature: RestFeature, key: string, at: string): PlacedFeature | ExportFault | undefined {
  const environment = feature.environments[key]
  if (!environment) return undefined
  const place = pointer(at, 'environments', key)
  const { definition, enabled } = environment
  if (enabled && !feature.archived && typeof definition === 'string') {
    const read = readShape(definitionShape, parsed(definition), pointer(place, 'definition'))
    return read.ok ? { definition: read.value, on: true, at: place } : read
  }
  const defaultValue = valueIn(feature, environment.defaultValue ?? feature.defaultValue ?? '')
  if (defaultValue === undefined) return faultAt(pointer(place, 'defaultValue'), `must be a ${feature.valueType}`)
  const untold = environment.rules?.length
  return { definition: { defaultValue }, on: false, at: place, ...(untold ? { untold } : {}) }
}

/** Converts a value of the management API, which is always a text. */
function valueIn({ valueType }: RestFeature, text: string): unknown {
  if (valueType === 'string') return text
  if (valueType === 'boolean') return text === 'true'
  const value = parsed(text)
  return valueType === 'number' && typeof value !== 'number' ? undefined : value
}

function parsed(text: string): unknown {
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

function cardOf(feature: RestFeature, at: string): FeatureCard {
  const { description, tags, archived, owner, project } = feature
  return {
    ...(description ? { description } : {}),
    tags: tags ?? [],
    archived: archived ?? false,
    losses: [
      ...(owner ? [belongsTo('owner', owner, 'set a maintainer')] : []),
      ...(project ? [belongsTo('project', project, 'import each project separately, with --project')] : []),
      ...strangers(feature, ofFeature, at, {}),
    ],
  }
}

function belongsTo(what: string, name: unknown, instead: string): Loss {
  return { what: `${what} ${name}`, why: 'it has another name here', instead, affects: 'nothing' }
}
