import { always, type Condition, never } from './condition.ts'

/** What could not be told as a condition, in the words of a loss. */
export interface Untold {
  readonly what: string
  readonly why: string
  readonly instead: string
}

/**
 * Goes through a nested condition, and knows whether what it is at stands for contexts that match or, within a negation, for
 * those that do not. So what cannot be told leaves contexts out and takes in none that the export would not.
 */
export interface Telling {
  readonly negated: boolean
  /** All that could not be told so far. */
  readonly untold: Untold[]
}

export function beginTelling(): Telling {
  return { negated: false, untold: [] }
}

/** The same one level of negation deeper. */
export function within(telling: Telling): Telling {
  return { ...telling, negated: !telling.negated }
}

/** Notes what cannot be told: whatever the rest says, nobody matches because of it. */
export function leaveOut({ negated, untold }: Telling, what: string, why: string, instead: string): Condition {
  untold.push({ what, why, instead })
  return negated ? always : never
}

/** Notes what is told, but comes out differently for attributes that nobody would expect. */
export function note({ untold }: Telling, what: string, why: string, instead: string): void {
  untold.push({ what, why, instead })
}

/** Matches every text that has a character. */
export const anyCharacter = '[^]'

/** Most characters of a value of a clause. */
export const longestValue = 1000

/**
 * Whether a regular expression can be searched in texts of every length: what has lookarounds or backreferences cannot, in a
 * time that is known before.
 *
 * @returns false also for what is no regular expression.
 */
export function isSearchable(source: string): boolean {
  if (source.length > longestValue || /\(\?<?[=!]|\\[1-9k]/.test(source)) return false
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

/**
 * A version of three numbers as clauses have it, without what does not count in a comparison.
 *
 * @returns undefined for what is none.
 */
export function plainVersion(text: string): string | undefined {
  const form = /^v?((?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){2}(?:-[0-9A-Za-z.]+)?)(?:\+[0-9A-Za-z.-]+)?$/
  return form.exec(text)?.[1]
}
