import { nearestTexts } from './nearest-texts.ts'
import { parseTextPattern, type TextPattern } from './text-pattern.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/**
 * Parses an action of a statement: a name such as `updateOn`, in which `*` matches any sequence of letters.
 *
 * The name need not be that of an action: a stored policy may contain actions of another version. See {@link
 * knownActionParser}.
 *
 * @returns the pattern, or the reason why the text is not valid.
 */
export function parseActionPattern(source: string): TextPattern | string {
  if (!/^[A-Za-z0-9*]+$/.test(source)) return 'must be letters, digits and `*`, for example `updateOn` or `update*`'
  return parseTextPattern(source)
}

/** Maximum number of unknown actions of one policy with suggestions, because each is compared with all actions. */
const maxSuggestions = 20

/** Maximum length of an unknown action for which similar actions are suggested. */
const maxSuggestedCharacters = 100

/**
 * Makes a parser of the actions of one new policy. A name without `*` must be an action of some kind of resource:
 * otherwise the statement would never apply.
 */
export function knownActionParser(vocabulary: PolicyVocabulary): (source: string) => TextPattern | string {
  let suggestions = 0
  return (source) => {
    const pattern = parseActionPattern(source)
    if (typeof pattern === 'string' || source.includes('*') || vocabulary.isAction(source)) return pattern
    if (source.length > maxSuggestedCharacters || suggestions++ >= maxSuggestions) return 'must be an action'
    const names = nearestTexts(source, vocabulary.actions).map((name) => `\`${name}\``)
    return `must be an action, for example ${names.join(' or ')}`
  }
}
