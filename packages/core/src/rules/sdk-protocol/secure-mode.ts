import type { EvaluationContext } from '../evaluation/index.ts'
import { attributesOf, kindsOf, subjectOf } from '../evaluation/subject.ts'
import { hmacSha256 } from '../webhook-signature/hmac.ts'

/**
 * Computes the hash with which a server confirms a context, so that a browser cannot impersonate another user:
 * HMAC-SHA256 of the context's key with the SDK key of the environment, in hex.
 *
 * @param context a context; the result is undefined if it is invalid.
 */
export async function secureModeHash(context: EvaluationContext, sdkKey: string): Promise<string | undefined> {
  const key = canonicalKey(context)
  if (key === undefined) return undefined
  const utf8 = new TextEncoder()
  const code = await hmacSha256(utf8.encode(sdkKey), utf8.encode(key))
  return Array.from(code, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares two texts in a time that depends only on the length of `candidate`. */
export function isSameSecret(candidate: string, expected: string): boolean {
  let difference = candidate.length ^ expected.length
  for (let index = 0; index < candidate.length; index++)
    difference |= candidate.charCodeAt(index) ^ expected.charCodeAt(index)
  return difference === 0
}

/**
 * Returns the text of a context that is hashed: the key of a user, or the kind and the key of a context of another
 * kind. For several kinds, it contains the kind and key of each, ordered by kind.
 */
function canonicalKey(context: EvaluationContext): string | undefined {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return undefined
  if (subject.kind === 'user') return subject.attributes?.key
  return [...kindsOf(subject)]
    .sort()
    .map((kind) => `${kind}:${escapeKey(attributesOf(subject, kind)?.key as string)}`)
    .join(':')
}

function escapeKey(key: string): string {
  return key.replaceAll('%', '%25').replaceAll(':', '%3A')
}
