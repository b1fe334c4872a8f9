type Json = Readonly<Record<string, unknown>>

/** Values that a file leaves out, by the name of the property. */
const defaults: Readonly<Record<string, unknown>> = {
  description: '',
  negate: false,
  trackEvents: false,
  trackEventsFallthrough: false,
  archived: false,
  deprecated: false,
  unbounded: false,
  secureMode: false,
  defaultTrackEvents: false,
  requireComments: false,
  confirmChanges: false,
  critical: false,
  defaultTtl: 0,
  contextKind: 'user',
  unboundedContextKind: 'user',
  rolloutContextKind: 'user',
}

/** Lists and dictionaries that a file leaves out when they are empty. */
const emptied = [
  'tags',
  'customProperties',
  'targets',
  'contextTargets',
  'rules',
  'prerequisites',
  'included',
  'excluded',
  'includedContexts',
  'excludedContexts',
]

/**
 * Returns properties of a response in the form of a file: without ids, which the engine generates, and without
 * defaults. Nested properties are sorted, because the engine keeps the order of the last request. The values of
 * variations and of clauses stay as they are.
 */
export function compact(properties: object): Json {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => {
      if (name === '_id' || each === undefined || isDefault(name, each)) return []
      return [[name, name === 'value' || name === 'values' ? each : compactValue(each)]]
    }),
  )
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compactValue)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return compact(Object.fromEntries(sorted))
}

function isDefault(name: string, value: unknown): boolean {
  if (emptied.includes(name)) return Object.keys(value as object).length === 0
  return Object.hasOwn(defaults, name) && defaults[name] === value
}

/** Returns the default of a property that a file leaves out; undefined for a property without a default. */
export function defaultOf(name: string): unknown {
  if (name === 'customProperties') return {}
  return emptied.includes(name) ? [] : defaults[name]
}

/** Returns some properties of an object, in this order. */
export function pick(object: object, names: readonly string[]): Json {
  const values = object as Json
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}
