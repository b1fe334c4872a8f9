import type { EvaluationContext } from '../evaluation/index.ts'
import { subjectOf } from '../evaluation/subject.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a context from a path: JSON as UTF-8 in Base64, with the standard or the URL-safe alphabet, padded or not.
 *
 * @returns undefined if the text is not a valid context.
 */
export function contextOfBase64(text: string): EvaluationContext | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    return contextOfJson(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/** Parses a context from JSON; returns undefined if it is not a valid context. */
export function contextOfJson(text: string): EvaluationContext | undefined {
  try {
    const context = JSON.parse(text)
    return typeof subjectOf(context) === 'string' ? undefined : context
  } catch {
    return undefined
  }
}
