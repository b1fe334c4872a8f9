import type { Specifier, SpecifierLevel, TextPattern } from '@halyard/core/policy'

/** Longer than one character, so it differs from every character of a text. */
const ANYTHING = '{*}'

/**
 * Returns whether one specifier matches every resource that another matches, for every caller and in every account.
 * Sound and incomplete: true is a proof, false only means that none was found. Two placeholders count as equal when
 * they have the same name, and as different otherwise, because their values are unknown here.
 */
export function specifierContains(wide: Specifier, narrow: Specifier): boolean {
  return (
    wide.shape === narrow.shape &&
    wide.levels.every((level, at) => levelContains(level, narrow.levels[at] as SpecifierLevel))
  )
}

/** The requirements of the wide level must follow from those of the narrow one, which may have more. */
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
 * Matches the narrow pattern as if it were a text in which a wildcard and a placeholder are single symbols: only a
 * wildcard of the wide pattern matches a wildcard. Tracks all positions at which the processed parts of the wide
 * pattern can end.
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

/** Positions are in ascending order, so the first is the smallest. */
function placesFrom(start: number | undefined, end: number): number[] {
  return start === undefined ? [] : Array.from({ length: end - start + 1 }, (_, offset) => start + offset)
}

function placesAfter(places: readonly number[], letter: string, text: readonly string[]): number[] {
  return places.filter((place) => text[place] === letter).map((place) => place + 1)
}
