import { parseAddress, type Resource, type ResourceLevel } from '../../rules/address.ts'
import type { ChangeLogEntry, LoggedChange } from './change-log-entry.ts'

/** By what entries of the change log are found, besides their address and words. */
export type EntryFacet = 'action' | 'member' | 'token' | 'kind'

/** The term of an entry that has this action, member, token or kind. */
export function facetTerm(facet: EntryFacet, value: string): string {
  return `${facet} ${value}`
}

/** The term of an entry whose name or comment has this word. */
export function wordTerm(word: string): string {
  return `word ${word}`
}

/** Words of one entry that it is found by, and characters of a word. */
const maxWords = 64
const maxWordCharacters = 64

/** The words of a text, lower-cased, each once: runs of letters and digits of any script. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words.map((word) => [...word].slice(0, maxWordCharacters).join('')))]
}

/**
 * A level of an address as it is asked for: by its key, or by any. The key `*` is a thing in all places at once, and that
 * is another question than any key.
 */
export type LevelQuery = Pick<ResourceLevel, 'kind'> & { readonly key: string | undefined }

/** The term of entries about a thing whose levels are those asked for. */
export function addressTerm(levels: readonly LevelQuery[]): string {
  // A key may hold every character but a control character.
  return `at ${levels.map(({ kind, key }) => (key === undefined ? kind : `${kind}/${key}`)).join('\n')}`
}

/** All that an entry is found by. */
export function entryTerms({
  kind,
  name,
  comment = '',
  caller,
  changes,
  besides = [],
}: Omit<ChangeLogEntry, 'operation'>): string[] {
  const terms = new Set([facetTerm('kind', kind)])
  if (caller.memberId !== undefined) terms.add(facetTerm('member', caller.memberId))
  if (caller.tokenId !== undefined) terms.add(facetTerm('token', caller.tokenId))
  for (const { action } of besides) terms.add(facetTerm('action', action))
  for (const change of changes) {
    for (const action of change.actions) terms.add(facetTerm('action', action))
    for (const term of addressTerms(touchedBy(change))) terms.add(term)
  }
  for (const word of wordsOf(`${name} ${comment}`).slice(0, maxWords)) terms.add(wordTerm(word))
  return [...terms]
}

/**
 * The thing that a change touches. What only follows, in all places at once, touches none of them: a flag that is turned
 * on in `test` counts that for itself, and nothing happens in `production`.
 */
export function touchedBy({ resource, actions }: LoggedChange): Resource {
  const levels = parseAddress(resource) ?? []
  return actions.length === 0 && levels.some(({ key }) => key === '*') ? [] : levels
}

/** One term for each way to ask for the thing: each of its levels by its key, or by any. */
function addressTerms(resource: Resource): string[] {
  if (resource.length === 0) return []
  let asked: readonly LevelQuery[][] = [[]]
  for (const { kind, key } of resource) {
    asked = asked.flatMap((levels) => [
      [...levels, { kind, key }],
      [...levels, { kind, key: undefined }],
    ])
  }
  return asked.map(addressTerm)
}
