import { isKeylessKind } from '../address.ts'
import { parseTextPattern, type TextPattern } from './text-pattern.ts'
import { type PolicyVocabulary, specifierOf } from './vocabulary.ts'

/**
 * A parsed resource specifier of a statement, not yet compiled for a caller
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export interface Specifier {
  readonly source: string
  /** Kinds of its levels, e.g. `proj:env:flag`; only resources with the same kinds can match. */
  readonly shape: string
  readonly levels: readonly SpecifierLevel[]
}

/** One level, such as `env/prod*;eu,core;{critical:true};view:checkout`: a name and qualifiers that must all match. */
export interface SpecifierLevel {
  readonly kind: string
  /** Undefined for `acct` and `ip-allowlist`, which have no name. */
  readonly name?: TextPattern
  readonly tags: readonly TextPattern[]
  readonly properties: readonly { readonly name: string; readonly value: TextPattern }[]
  readonly views: readonly TextPattern[]
}

type Qualifiers = Pick<SpecifierLevel, 'tags' | 'properties' | 'views'>

type PropertyTest = SpecifierLevel['properties'][number]

const VIEW = 'view:'

/**
 * Reads a resource specifier.
 *
 * @param vocabulary the kinds and shapes that it may name.
 * @returns the specifier, or the reason in words why the text is not a specifier.
 */
export function parseSpecifier(source: string, vocabulary: PolicyVocabulary): Specifier | string {
  const parts = splitLevels(source)
  if (!parts) return 'has unbalanced braces'
  const levels: SpecifierLevel[] = []
  for (const part of parts) {
    const level = parseLevel(part, vocabulary)
    if (typeof level === 'string') return level
    levels.push(level)
  }
  const shape = levels.map((level) => level.kind).join(':')
  return vocabulary.isShape(shape) ? { source, shape, levels } : shapeError(shape, vocabulary)
}

function shapeError(shape: string, { shapesOf }: PolicyVocabulary): string {
  const kind = shape.slice(shape.lastIndexOf(':') + 1)
  const validShapes = shapesOf(kind).map((validShape) => `\`${specifierOf(validShape)}\``)
  return `must have the levels of a resource in their order: write \`${kind}\` as ${validShapes.join(' or ')}`
}

function parseLevel(text: string, { isKind }: PolicyVocabulary): SpecifierLevel | string {
  const [head = '', ...qualifiers] = splitOutsideBraces(text, ';') as string[]
  const slash = head.indexOf('/')
  const kind = slash < 0 ? head : head.slice(0, slash)
  if (!isKind(kind)) return `has an unknown resource kind \`${kind}\``
  const nameless = slash < 0
  if (nameless !== isKeylessKind(kind)) return `${nameless ? 'has no' : 'has a'} name after \`${kind}\``
  const name = nameless ? undefined : parseTextPattern(head.slice(slash + 1))
  if (typeof name === 'string') return name
  const parsedQualifiers = parseQualifiers(qualifiers)
  return typeof parsedQualifiers === 'string' ? parsedQualifiers : { kind, name, ...parsedQualifiers }
}

function parseQualifiers(texts: readonly string[]): Qualifiers | string {
  const all = { tags: [] as TextPattern[], properties: [] as PropertyTest[], views: [] as TextPattern[] }
  for (const text of texts) {
    const qualifier = parseQualifier(text)
    if (typeof qualifier === 'string') return qualifier
    all.tags.push(...(qualifier.tags ?? []))
    all.properties.push(...(qualifier.properties ?? []))
    all.views.push(...(qualifier.views ?? []))
  }
  return all
}

function parseQualifier(text: string): Partial<Qualifiers> | string {
  if (text === '') return 'has an empty qualifier after `;`'
  if (text.startsWith('{')) return parseProperties(text)
  if (text.startsWith(VIEW)) {
    const view = parseTextPattern(text.slice(VIEW.length))
    return typeof view === 'string' ? view : { views: [view] }
  }
  const tags = parseAll(text.split(','), parseTextPattern)
  return typeof tags === 'string' ? tags : { tags }
}

function parseProperties(text: string): Partial<Qualifiers> | string {
  const tests = text.endsWith('}') ? splitOutsideBraces(text.slice(1, -1), ',') : undefined
  if (!tests) return `has a bad property test \`${text}\`: write {name:value}`
  const properties = parseAll(tests, parseProperty)
  return typeof properties === 'string' ? properties : { properties }
}

function parseProperty(test: string): PropertyTest | string {
  const [, name, valueText] = /^([A-Za-z]\w*):(.+)$/.exec(test) ?? []
  if (name === undefined) return `has a bad property test \`{${test}}\`: write {name:value}`
  const value = parseTextPattern(valueText as string)
  return typeof value === 'string' ? value : { name, value }
}

function parseAll<Item>(texts: readonly string[], parse: (text: string) => Item | string): Item[] | string {
  const items: Item[] = []
  for (const text of texts) {
    const item = parse(text)
    if (typeof item === 'string') return item
    items.push(item)
  }
  return items
}

/** Splits at `:`, except inside braces and in `;view:`; therefore no tag can be called `view`. */
function splitLevels(source: string): string[] | undefined {
  const levels: string[] = []
  let level: string[] = []
  for (const piece of splitOutsideBraces(source, ':') ?? []) {
    level.push(piece)
    // The pieces are joined once: appending each to a growing text would take quadratic time.
    if (piece.endsWith(`;${VIEW.slice(0, -1)}`)) continue
    levels.push(level.join(':'))
    level = []
  }
  if (level.length > 0) levels.push(level.join(':'))
  return levels.length > 0 ? levels : undefined
}

/** Splits a text at each separator that is not inside braces. Returns undefined if the braces do not balance. */
function splitOutsideBraces(text: string, separator: string): string[] | undefined {
  const pieces: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === separator && depth === 0) {
      pieces.push(text.slice(start, index))
      start = index + 1
    }
    if (depth < 0) return undefined
  }
  return depth === 0 ? [...pieces, text.slice(start)] : undefined
}
