import { parseAddress, type Resource, type ResourceLevel } from '../../rules/address.ts'
import type { ChangeLogEntry, LoggedChange } from './change-log-entry.ts'

/** Properties by which change log entries are filtered, in addition to addresses and words. */
export type EntryFacet = 'action' | 'member' | 'token' | 'kind'

/** Returns the search term of entries that have this action, member, token or kind. */
export function facetTerm(facet: EntryFacet, value: string): string {
  return `${facet} ${value}`
}

/** Returns the search term of entries whose name or comment contains this word. */
export function wordTerm(word: string): string {
  return `word ${word}`
}

/** Maximum number of words by which an entry is indexed. It is also the maximum number of characters of a word. */
const maxWords = 64
const maxWordCharacters = 64

/** Returns the words of a text in lower case, each once. A word is a run of letters and digits of any script. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words.map(shortened))]
}

function shortened(word: string): string {
  return word.length <= maxWordCharacters ? word : [...word].slice(0, maxWordCharacters).join('')
}

/**
 * A level of an address in a query: with a key, or with any key (undefined). The key `*` means a resource in all
 * environments or projects together, which is not the same as any key.
 */
export type LevelQuery = Pick<ResourceLevel, 'kind'> & { readonly key: string | undefined }

/** Returns the search term of entries about a resource with these levels. */
export function addressTerm(levels: readonly LevelQuery[]): string {
  // A line feed cannot be part of a key, because keys have no control characters.
  return `at ${levels.map(levelText).join('\n')}`
}

function levelText({ kind, key }: LevelQuery): string {
  return key === undefined ? kind : `${kind}/${key}`
}

/** Returns all search terms of an entry, each once. */
export function entryTerms({
  kind,
  name,
  comment = '',
  caller,
  changes,
  besides: additional = [],
}: Omit<ChangeLogEntry, 'operation'>): string[] {
  const terms = [facetTerm('kind', kind)]
  if (caller.memberId !== undefined) terms.push(facetTerm('member', caller.memberId))
  if (caller.tokenId !== undefined) terms.push(facetTerm('token', caller.tokenId))
  for (const { action } of additional) terms.push(facetTerm('action', action))
  for (const change of changes) {
    for (const action of change.actions) terms.push(facetTerm('action', action))
    addAddressTerms(terms, touchedBy(change))
  }
  for (const word of wordsOf(`${name} ${comment}`).slice(0, maxWords)) terms.push(wordTerm(word))
  // With one change, no two terms are equal. Looking for equal ones took a third of the time.
  return changes.length === 1 && additional.length === 0 ? terms : [...new Set(terms)]
}

/**
 * Returns the resource that a change affects. A change that requires no action and has a level `*` is a consequence of
 * another change, and affects no resource: turning on a flag in `test` also increases the revision of the flag, but
 * changes nothing in `production`.
 */
export function touchedBy({ resource, actions }: LoggedChange): Resource {
  const levels = parseAddress(resource) ?? []
  return actions.length === 0 && levels.some(({ key }) => key === '*') ? [] : levels
}

/** Adds one term for each query that matches the resource: each level with its key, or with any key. */
function addAddressTerms(terms: string[], resource: Resource): void {
  if (resource.length === 0) return
  let beginnings = ['at ']
  for (const level of resource) {
    const separator = level === resource[0] ? '' : '\n'
    const [withKey, withAnyKey] = [separator + levelText(level), separator + level.kind]
    const longer: string[] = []
    for (const beginning of beginnings) longer.push(beginning + withKey, beginning + withAnyKey)
    beginnings = longer
  }
  for (const term of beginnings) terms.push(term)
}
