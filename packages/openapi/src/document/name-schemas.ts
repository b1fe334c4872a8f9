import type { JsonSchema } from './open-api-document.ts'

/** A top-level schema of the document with its preferred name. */
export interface Root {
  readonly name: string
  /** Name to use when another schema already has the preferred one. */
  readonly otherwise: string
  readonly schema: JsonSchema
  /** Of several roots with the same schema, the one with the lowest rank determines the name. */
  readonly rank: number
}

export interface NamedSchemas {
  /** The roots in their order, each a reference or a short schema without a name. */
  readonly roots: readonly JsonSchema[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

interface Found {
  readonly schema: JsonSchema
  /** Names suggested by the positions of the schema, each with the root of the position. */
  readonly suggested: Place[]
  isRoot: boolean
  count: number
}

/** Minimum length of the JSON of a schema that is named when it occurs several times. */
const worthNaming = 90

/** Schema names for properties that do not determine the name. */
const nicknames: Readonly<Record<string, string>> = {
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
const inner = 10

/**
 * Names the schemas that occur more than once, and all roots that are objects, and replaces their occurrences with
 * references. A schema is named after its root, or after the property that contains it. When two different schemas
 * would have the same name, the root's name is prepended.
 */
export function nameSchemas(roots: readonly Root[]): NamedSchemas {
  const found = new Map<string, Found>()
  for (const { schema, ...root } of roots) visit(found, schema, { ...root, root: root.name }, true)
  const named = [...found].filter(([text, one]) => isNamed(text, one))
  const names = chooseNames(named)
  const schemas: Record<string, JsonSchema> = {}
  for (const [text, { schema }] of named) schemas[names.get(text) as string] = inside(schema, names)
  return {
    roots: roots.map(({ schema }) => referTo(schema, names)),
    schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function isNamed(text: string, { schema, isRoot, count }: Found): boolean {
  const { properties, anyOf, oneOf, additionalProperties } = schema
  if (!properties && !anyOf && !oneOf && typeof additionalProperties !== 'object') return false
  return isRoot || (count > 1 && text.length >= worthNaming)
}

interface Place {
  readonly name: string
  readonly otherwise?: string
  readonly rank: number
  readonly root: string
}

/** JSON of schemas that were serialized already, because most schemas are visited more than once. */
const texts = new WeakMap<JsonSchema, string>()

function textOf(schema: JsonSchema): string {
  const known = texts.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  texts.set(schema, text)
  return text
}

function visit(found: Map<string, Found>, schema: JsonSchema, place: Place, isRoot = false): void {
  const text = textOf(schema)
  const one = found.get(text) ?? { schema, suggested: [], isRoot: false, count: 0 }
  found.set(text, one)
  one.suggested.push(place)
  one.isRoot ||= isRoot
  one.count++
  for (const [name, inside] of partsOf(schema, place.name))
    visit(found, inside, { name, rank: inner, root: place.root })
}

/** Returns the direct child schemas, each with the name that its position suggests. */
function partsOf(schema: JsonSchema, name: string): [string, JsonSchema][] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema
  return [
    ...Object.entries(properties).map(([member, one]): [string, JsonSchema] => [memberName(member, name), one]),
    ...(items ? [[singular(name), items] as [string, JsonSchema]] : []),
    ...[...anyOf, ...oneOf].map((one): [string, JsonSchema] => [optionName(one, name), one]),
    ...(typeof additionalProperties === 'object'
      ? [[singular(name), additionalProperties] as [string, JsonSchema]]
      : []),
  ]
}

/** Items of a list have the name of the list. */
function memberName(member: string, name: string): string {
  const own = pascal(member)
  return own === 'Items' ? name : (nicknames[own] ?? own)
}

/** Names one of several options after its `kind`. */
function optionName({ properties }: JsonSchema, name: string): string {
  const kind = properties?.kind?.const
  return typeof kind === 'string' ? `${pascal(kind)}${name}` : name
}

function chooseNames(named: readonly (readonly [string, Found])[]): Map<string, string> {
  const best = named.map(([text, { suggested }]) => ({ text, place: bestOf(suggested) }))
  const names = new Map<string, string>()
  const taken = new Set<string>(reserved)
  const take = (text: string, ...candidates: readonly string[]) => {
    const free = candidates.find((one) => !taken.has(one))
    let name = free
    for (let count = 2; name === undefined; count++) {
      const numbered = `${candidates.at(-1)}${count}`
      if (!taken.has(numbered)) name = numbered
    }
    taken.add(name)
    names.set(text, name)
  }
  // Roots come first, by rank, so that the schema of a fetched resource keeps its plain name.
  for (const { text, place } of [...best].sort((a, b) => a.place.rank - b.place.rank)) {
    take(text, place.name, place.otherwise ?? withRoot(place))
  }
  return names
}

function withRoot({ name, root }: Place): string {
  return root.includes(name) ? `${root}Item` : `${root}${name}`
}

/** Returns the suggestion with the lowest rank; of several the most frequent name, and of those the first. */
function bestOf(suggested: Found['suggested']): Place {
  const lowest = Math.min(...suggested.map(({ rank }) => rank))
  const places = suggested.filter(({ rank }) => rank === lowest)
  const votes = (name: string) => places.filter((one) => one.name === name).length
  return places.reduce((best, one) => (votes(one.name) > votes(best.name) ? one : best))
}

function referTo(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const name = names.get(textOf(schema))
  return name === undefined ? inside(schema, names) : { $ref: `#/components/schemas/${name}` }
}

function inside(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, referTo(one, names)])) }
      : {}),
    ...(items ? { items: referTo(items, names) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((one) => referTo(one, names)) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((one) => referTo(one, names)) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: referTo(additionalProperties, names) } : {}),
  }
}

/** Converts a name to Pascal case: `_links` to `Links`, `role_name` to `RoleName`. */
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
