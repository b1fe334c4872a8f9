import { always, type Condition, never } from './condition.ts'

/** A part of a condition that rules cannot express, as a loss describes it. */
export interface UnsupportedPart {
  readonly what: string
  readonly why: string
  readonly instead: string
}

/**
 * State of the translation of a nested condition. It records whether the current part is inside a negation, where a
 * match excludes a context. An unsupported part therefore only excludes contexts, and never includes a context that the
 * export excludes.
 */
export interface Translation {
  readonly negated: boolean
  /** All unsupported parts so far. */
  readonly unsupported: UnsupportedPart[]
}

export function startTranslation(): Translation {
  return { negated: false, unsupported: [] }
}

/** Returns the state one level of negation deeper. */
export function insideNegation<T extends Translation>(translation: T): T {
  return { ...translation, negated: !translation.negated }
}

/** Records an unsupported part. No context matches because of it, whatever the rest of the condition is. */
export function omitCondition({ negated, unsupported }: Translation, part: UnsupportedPart): Condition {
  unsupported.push(part)
  return negated ? always : never
}

/** Records a part that is translated but behaves differently for unusual attributes. */
export function noteDifference({ unsupported }: Translation, part: UnsupportedPart): void {
  unsupported.push(part)
}

/** Matches every text that has at least one character. */
export const anyCharacter = '[^]'

/** Maximum number of characters of a value in a clause. */
export const maxValueLength = 1000

/**
 * Tests whether a regular expression can be searched in texts of any length. A regular expression with lookarounds or
 * backreferences cannot be searched in bounded time.
 *
 * @returns false also when the text is not a regular expression.
 */
export function isSearchable(source: string): boolean {
  if (source.length > maxValueLength || /\(\?<?[=!]|\\[1-9k]/.test(source)) return false
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

/**
 * Returns a version of three numbers in the form that clauses use, without the parts that a comparison ignores.
 *
 * @returns undefined when the text is not such a version.
 */
export function plainVersion(text: string): string | undefined {
  const form = /^v?((?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){2}(?:-[0-9A-Za-z.]+)?)(?:\+[0-9A-Za-z.-]+)?$/
  return form.exec(text)?.[1]
}
