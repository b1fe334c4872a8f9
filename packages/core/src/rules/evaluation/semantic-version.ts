/** A parsed version that can be compared; build metadata after `+` is ignored (semver.org, 10). */
export interface SemanticVersion {
  readonly numbers: readonly [number, number, number]
  /** Numeric identifiers are numbers. */
  readonly prerelease: readonly (string | number)[]
}

const number = '(?:0|[1-9]\\d*)'
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`
const pattern = new RegExp(
  `^(${number})(?:\\.(${number}))?(?:\\.(${number}))?(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)

/** Maximum length of a version text, so that no match takes long. */
const maxLength = 256

/**
 * Parses a version of semver.org, of which minor and patch may be omitted: `2` and `2-rc` are `2.0.0` and `2.0.0-rc`.
 *
 * @returns undefined for anything else, e.g. `v2.0.0`, `02.0.0` or a number.
 */
export function parseSemanticVersion(text: unknown): SemanticVersion | undefined {
  if (typeof text !== 'string' || text.length > maxLength) return undefined
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, major, minor = '0', patch = '0', prerelease] = match
  const numbers = [Number(major), Number(minor), Number(patch)] as const
  if (!numbers.every(Number.isSafeInteger)) return undefined
  return { numbers: [...numbers], prerelease: prerelease?.split('.').map(numeric) ?? [] }
}

function numeric(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part
}

/** Compares two versions (semver.org, 11): negative if `a` precedes `b`, positive if `b` precedes `a`, otherwise 0. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (let index = 0; index < 3; index++) {
    const difference = (a.numbers[index] as number) - (b.numbers[index] as number)
    if (difference !== 0) return difference
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  const shared = Math.min(a.prerelease.length, b.prerelease.length)
  for (let index = 0; index < shared; index++) {
    const difference = compareParts(a.prerelease[index] as string | number, b.prerelease[index] as string | number)
    if (difference !== 0) return difference
  }
  return a.prerelease.length - b.prerelease.length
}

function compareParts(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  if (typeof b === 'number') return 1
  return a === b ? 0 : a < b ? -1 : 1
}
