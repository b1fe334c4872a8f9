import type { Specifier, SpecifierLevel, TextPattern } from '@halyard/core/policy'

/** Longer than one character, so that no character of a text is mistaken for it. */
const ANYTHING = '{*}'

/**
 * Whether one specifier names whatever another names, for every caller and in every account.
 *
 * Sound and not complete: true is a proof, false says only that none was found. Two placeholders count as the same
 * when they have one name, and as different otherwise, because the values are not known here.
 */
export function specifierContains(wide: Specifier, narrow: Specifier): boolean {
  return (
    wide.shape === narrow.shape &&
    wide.levels.every((level, at) => levelContains(level, narrow.levels[at] as SpecifierLevel))
  )
}

/** What the wide level asks must follow from what the narrow one asks; the narrow one may ask for more. */
function levelContains(wide: SpecifierLevel, narrow: SpecifierLevel): boolean {
  return (
    (!wide.name || (narrow.name !== undefined && patternContains(wide.name, narrow.name))) &&
    eachFollows(wide.tags, narrow.tags) &&
    eachFollows(wide.views, narrow.views) &&
    wide.properties.every(({ name, value }) =>
      narrow.properties.some((one) => one.name === name && patternContains(value, one.value)),
    )
  )
}

function eachFollows(asked: readonly TextPattern[], given: readonly TextPattern[]): boolean {
  return asked.every((pattern) => given.some((one) => patternContains(pattern, one)))
}

/**
 * Reads the narrow pattern as if it were a text, in which a star and a placeholder are letters of their own: only a
 * star of the wide one takes a star. Keeps all places where the wide pattern's parts so far can have ended.
 */
function patternContains(wide: TextPattern, narrow: TextPattern): boolean {
  const text = lettersOf(narrow)
  let places: readonly number[] = [0]
  for (const letter of lettersOf(wide)) {
    places = letter === ANYTHING ? placesFrom(places[0], text.length) : placesAfter(places, letter, text)
  }
  return places.at(-1) === text.length
}

function lettersOf({ parts }: TextPattern): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return part.text.split('')
    return part.kind === 'anything' ? [ANYTHING] : [`{${part.name}}`]
  })
}

/** Places are kept in ascending order, so the first is the least. */
function placesFrom(start: number | undefined, end: number): number[] {
  return start === undefined ? [] : Array.from({ length: end - start + 1 }, (_, offset) => start + offset)
}

function placesAfter(places: readonly number[], letter: string, text: readonly string[]): number[] {
  return places.filter((place) => text[place] === letter).map((place) => place + 1)
}
