import type { EvaluationContext } from '../evaluation/index.ts'
import { attributesOf, kindsOf, subjectOf } from '../evaluation/subject.ts'
import { hmacSha256 } from '../webhook-signature/hmac.ts'

/**
 * What a server vouches for a context with, so that a browser cannot pass for somebody else: HMAC-SHA256 of the context's
 * key, by the SDK key of the environment, in hex.
 *
 * @param context a context; for what is none there is no hash, and the result is undefined.
 */
export async function secureModeHash(context: EvaluationContext, sdkKey: string): Promise<string | undefined> {
  const key = canonicalKey(context)
  if (key === undefined) return undefined
  const utf8 = new TextEncoder()
  const code = await hmacSha256(utf8.encode(sdkKey), utf8.encode(key))
  return Array.from(code, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares in a time that depends on the length of the given text alone. */
export function isSameSecret(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

/** The key of a user; of another kind with the kind before it; of several kinds all of these in the order of the kinds. */
function canonicalKey(context: EvaluationContext): string | undefined {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return undefined
  if (subject.kind === 'user') return subject.attributes?.key
  return [...kindsOf(subject)]
    .sort()
    .map((kind) => `${kind}:${escaped(attributesOf(subject, kind)?.key as string)}`)
    .join(':')
}

function escaped(key: string): string {
  return key.replaceAll('%', '%25').replaceAll(':', '%3A')
}
