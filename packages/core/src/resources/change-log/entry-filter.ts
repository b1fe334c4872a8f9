import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import {
  addressTerm,
  facetTerm,
  type LevelQuery,
  touchedBy,
  wordsOf,
  wordTerm,
} from '../../operation/change-log/change-log-terms.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { type CompiledSpecifier, compileSpecifier, namesResource } from '../../rules/policy/compiled-statement.ts'
import type { Specifier, SpecifierLevel } from '../../rules/policy/specifier.ts'
import { parseSpecifier } from '../policy.ts'

/** Query of change log entries. An entry must meet all given conditions. */
export interface EntryQuery {
  /** Resource specifiers, joined by commas. An entry matches when it changed a resource that one of them names. */
  readonly spec?: string
  readonly action?: readonly string[]
  readonly member?: string
  readonly token?: string
  readonly kind?: string
  /** Words that must all occur in the name or the comment. */
  readonly q?: string
}

/** The query in the form that the storage supports. */
export interface EntryFilter {
  /** The entry must have at least one term of each of these lists. */
  readonly terms: readonly (readonly string[])[]
  /** Tests the parts of the query that the terms cannot express; undefined when the terms express the whole query. */
  readonly matches: ((entry: ChangeLogEntry) => boolean) | undefined
}

/**
 * Builds the filter of a query.
 *
 * @returns the filter, or the validation errors of the query.
 */
export function entryFilter({
  spec,
  action,
  member,
  token,
  kind,
  q,
}: EntryQuery): EntryFilter | readonly ValidationError[] {
  const specifiers = spec === undefined ? undefined : parseSpecifiers(spec)
  const words = q === undefined ? undefined : wordsOf(q)
  const errors = [
    ...(typeof specifiers === 'string' ? [{ attribute: 'spec', reason: specifiers }] : []),
    ...(words?.length === 0 ? [{ attribute: 'q', reason: 'must contain a word' }] : []),
  ]
  if (typeof specifiers === 'string' || errors.length > 0) return errors
  const terms = [
    ...(specifiers ? [[...new Set(specifiers.flatMap(termsOf))]] : []),
    ...(action && action.length > 0 ? [action.map((actionName) => facetTerm('action', actionName))] : []),
    ...(member === undefined ? [] : [[facetTerm('member', member)]]),
    ...(token === undefined ? [] : [[facetTerm('token', token)]]),
    ...(kind === undefined ? [] : [[facetTerm('kind', kind)]]),
    ...(words ?? []).map((word) => [wordTerm(word)]),
  ]
  return { terms, matches: specifiers?.some(isPartial) ? matchesChange(specifiers) : undefined }
}

const maxSpecifiers = 20

function parseSpecifiers(text: string): readonly Specifier[] | string {
  const sources = text.split(',')
  if (sources.length > maxSpecifiers) return `must contain at most ${maxSpecifiers} resource specifiers`
  const specifiers: Specifier[] = []
  for (const source of sources) {
    const specifier = parseSpecifier(source)
    if (typeof specifier === 'string') return `\`${source}\` ${specifier}`
    if (!specifier.levels.every(isPlain)) return `\`${source}\` must name resources by kind and key only`
    specifiers.push(specifier)
  }
  return specifiers
}

/**
 * Tests that a specifier level has no qualifiers. An entry does not record the tags of a resource, and there is no
 * caller whose role attributes apply.
 */
function isPlain({ name, tags, properties, views }: SpecifierLevel): boolean {
  const qualified = tags.length + properties.length + views.length > 0
  return !qualified && (name?.parts.every(({ kind }) => kind !== 'attribute') ?? true)
}

function isPartial({ levels }: Specifier): boolean {
  return levels.some((level) => exactKey(level) === undefined && level.name?.parts.some(({ kind }) => kind === 'text'))
}

/**
 * Returns the terms of a specifier. A change of `env/*` is a change in every environment, so a query for
 * `env/production` also searches for `*`.
 */
function termsOf({ levels }: Specifier): string[] {
  let addresses: readonly LevelQuery[][] = [[]]
  for (const level of levels) {
    const key = exactKey(level)
    const keys = key === undefined || key === '' ? [key] : [key, '*']
    addresses = addresses.flatMap((before) =>
      keys.map((exactOrAll) => [...before, { kind: level.kind, key: exactOrAll }]),
    )
  }
  return addresses.map(addressTerm)
}

/** Returns the one key that a level names; undefined when it can match several keys. */
function exactKey({ name }: SpecifierLevel): string | undefined {
  if (!name) return ''
  const [part, ...others] = name.parts
  return part?.kind === 'text' && others.length === 0 ? part.text : undefined
}

function matchesChange(specifiers: readonly Specifier[]): (entry: ChangeLogEntry) => boolean {
  const byShape = new Map<string, CompiledSpecifier[]>()
  for (const specifier of specifiers) {
    byShape.set(specifier.shape, [...(byShape.get(specifier.shape) ?? []), compileSpecifier(specifier, {})])
  }
  return ({ changes }) =>
    changes.some((change) => {
      const levels = touchedBy(change)
      const compiled = byShape.get(levels.map(({ kind }) => kind).join(':')) ?? []
      return compiled.some((specifier) => namesResource(specifier, levels, 'some'))
    })
}
