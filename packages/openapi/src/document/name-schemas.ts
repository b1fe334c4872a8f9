import type { JsonSchema } from './open-api-document.ts'

/** A top-level schema of the document with its preferred name. */
export interface Root {
  readonly name: string
  /** Name to use when another schema already has the preferred one. */
  readonly fallbackName: string
  readonly schema: JsonSchema
  /** If several roots have the same schema, the root with the lowest rank determines its name. */
  readonly rank: number
}

export interface NamedSchemas {
  /** The roots in their order, each a reference or a short schema without a name. */
  readonly roots: readonly JsonSchema[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

interface SchemaUse {
  readonly schema: JsonSchema
  /** Names suggested by the positions of the schema, each with the root of the position. */
  readonly suggestions: NameSuggestion[]
  isRoot: boolean
  count: number
}

/** Minimum length of the JSON of a schema that is named when it occurs several times. */
const minNamedLength = 90

/** Schema names for properties that do not determine the name. */
const nameOverrides: Readonly<Record<string, string>> = {
  Access: 'AccessDetails',
  Denied: 'AccessEntries',
  Allowed: 'AccessEntries',
  InlineRole: 'Statements',
  Policy: 'Statements',
  Overall: 'Score',
}

/** Names of schemas that the document defines itself. */
const reserved = ['Error', 'Timestamp', 'JsonPatch', 'JsonPatchOperation', 'CommentedJsonPatch']

/** Rank of names that come from a position inside a root. */
const nestedRank = 10

/**
 * Names the schemas that occur more than once, and all roots that are objects, and replaces their occurrences with
 * references. A schema is named after its root, or after the property that contains it. When two different schemas
 * would have the same name, the root's name is prepended.
 */
export function nameSchemas(roots: readonly Root[]): NamedSchemas {
  const uses = new Map<string, SchemaUse>()
  for (const { schema, ...root } of roots) collectUses(uses, schema, { ...root, root: root.name }, true)
  const namedSchemas = [...uses].filter(([text, candidate]) => isNamed(text, candidate))
  const names = chooseNames(namedSchemas)
  const schemas: Record<string, JsonSchema> = {}
  for (const [text, { schema }] of namedSchemas)
    schemas[names.get(text) as string] = withReferences(withoutMark(schema), names)
  return {
    roots: roots.map(({ schema }) => referenceOrInline(schema, names)),
    schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function isNamed(text: string, { schema, isRoot, count }: SchemaUse): boolean {
  const { properties, anyOf, oneOf, additionalProperties } = schema
  if (!properties && !anyOf && !oneOf && typeof additionalProperties !== 'object') return false
  return isRoot || (count > 1 && text.length >= minNamedLength)
}

interface NameSuggestion {
  readonly name: string
  readonly fallbackName?: string
  readonly rank: number
  readonly root: string
}

/** JSON of schemas that were serialized already, because most schemas are visited more than once. */
const texts = new WeakMap<JsonSchema, string>()

function textOf(schema: JsonSchema): string {
  const cached = texts.get(schema)
  if (cached !== undefined) return cached
  const text = JSON.stringify(withoutMark(schema))
  texts.set(schema, text)
  return text
}

/**
 * Returns a schema without `x-stored-only`, which belongs to the property with the schema and is kept beside the
 * reference.
 */
function withoutMark({ 'x-stored-only': _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function collectUses(
  uses: Map<string, SchemaUse>,
  schema: JsonSchema,
  suggestion: NameSuggestion,
  isRoot = false,
): void {
  const text = textOf(schema)
  const use = uses.get(text) ?? { schema, suggestions: [], isRoot: false, count: 0 }
  uses.set(text, use)
  use.suggestions.push(suggestion)
  use.isRoot ||= isRoot
  use.count++
  for (const [name, child] of partsOf(schema, suggestion.name))
    collectUses(uses, child, { name, rank: nestedRank, root: suggestion.root })
}

/** Returns the direct child schemas, each with the name that its position suggests. */
function partsOf(schema: JsonSchema, name: string): [string, JsonSchema][] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema
  return [
    ...Object.entries(properties).map(([propertyName, candidate]): [string, JsonSchema] => [
      propertySchemaName(propertyName, name),
      candidate,
    ]),
    ...(items ? [[singular(name), items] as [string, JsonSchema]] : []),
    ...[...anyOf, ...oneOf].map((candidate): [string, JsonSchema] => [optionName(candidate, name), candidate]),
    ...(typeof additionalProperties === 'object'
      ? [[singular(name), additionalProperties] as [string, JsonSchema]]
      : []),
  ]
}

/** Items of a list have the name of the list. */
function propertySchemaName(propertyName: string, name: string): string {
  const pascalName = pascal(propertyName)
  return pascalName === 'Items' ? name : (nameOverrides[pascalName] ?? pascalName)
}

/** Names one of several options after its `kind`. */
function optionName({ properties }: JsonSchema, name: string): string {
  const kind = properties?.kind?.const
  return typeof kind === 'string' ? `${pascal(kind)}${name}` : name
}

function chooseNames(namedSchemas: readonly (readonly [string, SchemaUse])[]): Map<string, string> {
  const bestSuggestions = namedSchemas.map(([text, { suggestions }]) => ({ text, place: bestOf(suggestions) }))
  const names = new Map<string, string>()
  const usedNames = new Set<string>(reserved)
  const assignName = (text: string, ...candidates: readonly string[]) => {
    const unusedName = candidates.find((candidate) => !usedNames.has(candidate))
    let name = unusedName
    for (let count = 2; name === undefined; count++) {
      const numbered = `${candidates.at(-1)}${count}`
      if (!usedNames.has(numbered)) name = numbered
    }
    usedNames.add(name)
    names.set(text, name)
  }
  // Schemas with a low rank are named first. Roots have the lowest ranks, so a fetched resource keeps its plain name.
  for (const { text, place: suggestion } of [...bestSuggestions].sort((a, b) => a.place.rank - b.place.rank)) {
    assignName(text, suggestion.name, suggestion.fallbackName ?? withRoot(suggestion))
  }
  return names
}

function withRoot({ name, root }: NameSuggestion): string {
  return root.includes(name) ? `${root}Item` : `${root}${name}`
}

/**
 * Returns the suggestion with the lowest rank. If there are several, it returns the most frequent of these names, and
 * the first of equally frequent ones.
 */
function bestOf(suggestions: SchemaUse['suggestions']): NameSuggestion {
  const lowest = Math.min(...suggestions.map(({ rank }) => rank))
  const candidates = suggestions.filter(({ rank }) => rank === lowest)
  const votes = (name: string) => candidates.filter((candidate) => candidate.name === name).length
  return candidates.reduce((currentBest, candidate) =>
    votes(candidate.name) > votes(currentBest.name) ? candidate : currentBest,
  )
}

function referenceOrInline(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const name = names.get(textOf(schema))
  if (name === undefined) return withReferences(schema, names)
  const { 'x-stored-only': isStoredOnly } = schema
  return { $ref: `#/components/schemas/${name}`, ...(isStoredOnly ? { 'x-stored-only': true } : {}) }
}

function withReferences(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, candidate]) => [name, referenceOrInline(candidate, names)]),
          ),
        }
      : {}),
    ...(items ? { items: referenceOrInline(items, names) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((candidate) => referenceOrInline(candidate, names)) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((candidate) => referenceOrInline(candidate, names)) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: referenceOrInline(additionalProperties, names) }
      : {}),
  }
}

/** Converts a name to Pascal case: `_links` becomes `Links`. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

/**
 * Returns the singular: `policies` to `policy`, `statuses` to `status`, `keys` to `key`. A name that is not a plural
 * gets the suffix `Item`.
 */
function singular(name: string): string {
  if (/series$/i.test(name)) return name
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|x|ch|status)es$/i.test(name)) return name.slice(0, -2)
  if (/[^s]s$/i.test(name)) return name.slice(0, -1)
  return `${name}Item`
}
