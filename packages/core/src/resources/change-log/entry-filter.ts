import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import {
  addressTerm,
  facetTerm,
  type LevelQuery,
  touchedBy,
  wordsOf,
  wordTerm,
} from '../../operation/change-log/change-log-terms.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { isKeylessKind } from '../../rules/address.ts'
import { type CompiledSpecifier, compileSpecifier, namesResource } from '../../rules/policy/compiled-statement.ts'
import { compilePolicy } from '../../rules/policy/policy.ts'
import type { Specifier, SpecifierLevel } from '../../rules/policy/specifier.ts'
import { compileRole, parseSpecifier } from '../policy.ts'

/** Query of change log entries. An entry must meet all given conditions. */
export interface EntryQuery {
  /**
   * Resource specifiers, joined by commas; `*` names every resource. An entry matches when it changed a resource that
   * one of them names. An empty text matches every entry.
   */
  readonly spec?: string
  readonly action?: readonly string[]
  readonly member?: string
  readonly token?: string
  readonly kind?: string
  /** Words that must all occur in the name or the comment. An empty text matches every entry. */
  readonly q?: string
}

/** The query in the form that the storage supports. */
export interface EntryFilter {
  /** The entry must have at least one term of each of these lists. */
  readonly terms: readonly (readonly string[])[]
  /** Tests the parts of the query that the terms cannot express; undefined when the terms express the whole query. */
  readonly matches: EntryTest | undefined
}

/** Tests an entry. It may read the attributes that the changed resources have now. */
type EntryTest = (context: Pick<ReadContext, 'selects'>, entry: ChangeLogEntry) => boolean | Promise<boolean>

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
  const specifiers = hasText(spec) ? parseSpecifiers(spec) : undefined
  const words = hasText(q) ? wordsOf(q) : undefined
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
  return { terms, matches: specifiers && testOf(specifiers) }
}

/** Clients send a parameter without a value for a field that a person left empty. */
function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}

const maxSpecifiers = 20

/** Returns the specifiers; undefined when one of them is `*`, which names every resource. */
function parseSpecifiers(text: string): readonly Specifier[] | string | undefined {
  const sources = sourcesOf(text)
  if (sources.includes('*')) return undefined
  if (sources.length > maxSpecifiers) return `must contain at most ${maxSpecifiers} resource specifiers`
  const specifiers: Specifier[] = []
  for (const source of sources) {
    const specifier = parseSpecifier(source)
    if (typeof specifier === 'string') return `\`${source}\` ${specifier}`
    if (specifier.levels.some(hasAttribute)) return `\`${source}\` must not contain attributes of roles`
    specifiers.push(specifier)
  }
  return specifiers
}

/**
 * Splits a text at the commas that separate specifiers. Tags and properties of one specifier are joined by commas too.
 */
function sourcesOf(text: string): readonly string[] {
  const sources: string[] = []
  for (const part of text.split(',')) {
    const previous = sources.at(-1) ?? ''
    const inBraces = previous.lastIndexOf('{') > previous.lastIndexOf('}')
    const isTag = previous.includes(';') && /^[^/:;*]+$/.test(part) && !isKeylessKind(part)
    if (inBraces || isTag) sources[sources.length - 1] = `${previous},${part}`
    else sources.push(part)
  }
  return sources
}

/**
 * Tests whether a level contains an attribute of a role. Such attributes have no value in a query, which is not a
 * policy of the caller.
 */
function hasAttribute({ name, tags, properties, views }: SpecifierLevel): boolean {
  const patterns = [...(name ? [name] : []), ...tags, ...views, ...properties.map(({ value }) => value)]
  return patterns.some(({ parts }) => parts.some(({ kind }) => kind === 'attribute'))
}

const isQualified = ({ levels }: Specifier) =>
  levels.some(({ tags, properties, views }) => tags.length + properties.length + views.length > 0)

/** Returns the test of the parts of specifiers that no term expresses; undefined when there are none. */
function testOf(specifiers: readonly Specifier[]): EntryTest | undefined {
  if (specifiers.some(isQualified)) return matchesAttributes(specifiers)
  return specifiers.some(isPartial) ? matchesChange(specifiers) : undefined
}

/**
 * Tests changes with the tags, properties and views that their resources have now, which an entry does not record. A
 * resource that was deleted has none.
 */
function matchesAttributes(specifiers: readonly Specifier[]): EntryTest {
  // Selects the changes that no specifier matches, not even partly: a change of `env/*` is a change in every
  // environment.
  const others = { effect: 'allow', notResources: specifiers.map(({ source }) => source), actions: ['*'] } as const
  const policy = compilePolicy([compileRole({ name: 'spec', statements: [others] })])
  return async (context, { changes }) => {
    for (const change of changes) {
      if (touchedBy(change).length === 0) continue
      // Some changes have no action, so the decision is requested for all actions.
      if (!(await context.selects(policy, { ...change, actions: ['*'] }))) return true
    }
    return false
  }
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

/** Returns the key that a level names; undefined when the level can match several keys. */
function exactKey({ name }: SpecifierLevel): string | undefined {
  if (!name) return ''
  const [part, ...others] = name.parts
  return part?.kind === 'text' && others.length === 0 ? part.text : undefined
}

function matchesChange(specifiers: readonly Specifier[]): EntryTest {
  const byShape = new Map<string, CompiledSpecifier[]>()
  for (const specifier of specifiers) {
    byShape.set(specifier.shape, [...(byShape.get(specifier.shape) ?? []), compileSpecifier(specifier, {})])
  }
  return (_, { changes }) =>
    changes.some((change) => {
      const levels = touchedBy(change)
      const compiled = byShape.get(levels.map(({ kind }) => kind).join(':')) ?? []
      return compiled.some((specifier) => namesResource(specifier, levels, 'some'))
    })
}
