import type { Specifier, SpecifierLevel, TextPattern } from '@halyard/core/policy'

/** This symbol is longer than one character, so it differs from every character of a text. */
const ANYTHING = '{*}'

/**
 * Returns true when one specifier matches every resource that another matches, for every caller and in every account.
 * Sound and incomplete: true is a proof, false only means that no proof was found. Two placeholders count as equal when
 * they have the same name, and as different otherwise, because their values are unknown here.
 */
export function specifierContains(wide: Specifier, narrow: Specifier): boolean {
  return (
    wide.shape === narrow.shape &&
    wide.levels.every((level, levelIndex) => levelContains(level, narrow.levels[levelIndex] as SpecifierLevel))
  )
}

/**
 * Returns true if the wide level contains the narrow one: the requirements of the narrow level imply those of the wide
 * level, and may be more.
 */
function levelContains(wide: SpecifierLevel, narrow: SpecifierLevel): boolean {
  return (
    (!wide.name || (narrow.name !== undefined && patternContains(wide.name, narrow.name))) &&
    eachImplied(wide.tags, narrow.tags) &&
    eachImplied(wide.views, narrow.views) &&
    wide.properties.every(({ name, value }) =>
      narrow.properties.some((property) => property.name === name && patternContains(value, property.value)),
    )
  )
}

function eachImplied(required: readonly TextPattern[], guaranteed: readonly TextPattern[]): boolean {
  return required.every((pattern) => guaranteed.some((candidate) => patternContains(pattern, candidate)))
}

/**
 * Matches the narrow pattern as if it were a text in which a wildcard and a placeholder are single symbols: only a
 * wildcard of the wide pattern matches a wildcard. Tracks all positions at which the processed parts of the wide
 * pattern can end.
 */
function patternContains(wide: TextPattern, narrow: TextPattern): boolean {
  const text = symbolsOf(narrow)
  let positions: readonly number[] = [0]
  for (const symbol of symbolsOf(wide)) {
    positions =
      symbol === ANYTHING ? allPositionsFrom(positions[0], text.length) : positionsAfter(positions, symbol, text)
  }
  return positions.at(-1) === text.length
}

function symbolsOf({ parts }: TextPattern): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return part.text.split('')
    return part.kind === 'anything' ? [ANYTHING] : [`{${part.name}}`]
  })
}

/** Positions are in ascending order, so the first is the smallest. */
function allPositionsFrom(start: number | undefined, end: number): number[] {
  return start === undefined ? [] : Array.from({ length: end - start + 1 }, (_, offset) => start + offset)
}

function positionsAfter(positions: readonly number[], symbol: string, text: readonly string[]): number[] {
  return positions.filter((position) => text[position] === symbol).map((position) => position + 1)
}
