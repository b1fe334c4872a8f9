import type { JsonSchema } from './open-api-document.ts'

/** A schema of the document, and what it would be called by itself. */
export interface Root {
  readonly name: string
  /** What it is called where another schema has that name already. */
  readonly otherwise: string
  readonly schema: JsonSchema
  /** Of several roots with the same schema the one with the lowest rank gives the name. */
  readonly rank: number
}

export interface NamedSchemas {
  /** The roots in their order, each a reference or a short schema that needs no name. */
  readonly roots: readonly JsonSchema[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

interface Found {
  readonly schema: JsonSchema
  /** Names that places where it stands suggest, best first, each with the root that the place belongs to. */
  readonly suggested: Place[]
  isRoot: boolean
  count: number
}

/** Characters of JSON from which on a schema that stands in several places is worth a name. */
const worthNaming = 90

/** What is called otherwise than its member. */
const nicknames: Readonly<Record<string, string>> = {
  Access: 'AccessDetails',
  Denied: 'AccessEntries',
  Allowed: 'AccessEntries',
  InlineRole: 'Statements',
  Policy: 'Statements',
  Overall: 'Score',
}

/** Names that the document gives to schemas of its own. */
const reserved = ['Error', 'Timestamp', 'JsonPatch', 'JsonPatchOperation', 'CommentedJsonPatch']

/** Ranks of names that come from a place inside of a root. */
const inner = 10

/**
 * Names the schemas that stand in more than one place, and all roots that are objects, and puts references in their
 * stead. A schema is called after the root that it is, or after the member that holds it; where two different ones would
 * be called the same, the root's name goes before it.
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

/** Schemas that were written as JSON already: most of them are looked at more than once. */
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

/** The schemas right inside of one, each with the name that its place suggests. */
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

/** The items of a list are what the list is called after. */
function memberName(member: string, name: string): string {
  const own = pascal(member)
  return own === 'Items' ? name : (nicknames[own] ?? own)
}

/** One of several is called after its `kind`. */
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
  // Roots first, by rank: what an operation fetches keeps its plain name whatever stands inside of others.
  for (const { text, place } of [...best].sort((a, b) => a.place.rank - b.place.rank)) {
    take(text, place.name, place.otherwise ?? withRoot(place))
  }
  return names
}

function withRoot({ name, root }: Place): string {
  return root.includes(name) ? `${root}Item` : `${root}${name}`
}

/** The name of the lowest rank; of several the one that most places suggest, and of those the first. */
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

/** `_links` as `Links`, `role_name` as `RoleName`. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

/** `policies` as `policy`, `statuses` as `status`, `keys` as `key`; what has no plural gets `Item`. */
function singular(name: string): string {
  if (/series$/i.test(name)) return name
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|x|ch|status)es$/i.test(name)) return name.slice(0, -2)
  if (/[^s]s$/i.test(name)) return name.slice(0, -1)
  return `${name}Item`
}
