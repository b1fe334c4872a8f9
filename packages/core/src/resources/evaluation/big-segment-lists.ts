import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { bigExcluded, bigIncluded } from '../../models/segments/segment.ts'
import { type BigSegmentLookup, bigSegmentName, type EvaluationContext } from '../../rules/evaluation/index.ts'
import { attributesOf, kindsOf, subjectOf } from '../../rules/evaluation/subject.ts'
import type { Reader } from '../../storage/reader.ts'
import type { EvaluatedContent } from './evaluated-content.ts'

/**
 * Returns the keys of contexts, without duplicates; of a multi-context, the key of each kind. Invalid contexts are left
 * out.
 */
export function keysOfContexts(contexts: readonly EvaluationContext[]): string[] {
  const keys = contexts.flatMap((context) => {
    const subject = subjectOf(context)
    return typeof subject === 'string' ? [] : kindsOf(subject).map((kind) => attributesOf(subject, kind)?.key as string)
  })
  return [...new Set(keys)]
}

/**
 * Reads the memberships of contexts in the big segments of an environment: two queries for each big segment, for any
 * number of contexts.
 */
export async function bigSegmentLists(
  tx: Pick<Reader, 'findKeys'>,
  keys: EnvironmentKeys,
  contextKeys: readonly string[],
  { bigSegments }: Pick<EvaluatedContent, 'bigSegments'>,
): Promise<BigSegmentLookup> {
  const lists = new Map(contextKeys.map((key) => [key, new Map<string, boolean>()]))
  if (contextKeys.length > 0) {
    await Promise.all(
      Array.from(bigSegments.values(), async (segment) => {
        const segmentKeys = { ...keys, segmentKey: segment.key }
        const [included, excluded] = await Promise.all([
          tx.findKeys(bigIncluded, segmentKeys, contextKeys),
          tx.findKeys(bigExcluded, segmentKeys, contextKeys),
        ])
        // A context on both lists is a member.
        for (const key of excluded) lists.get(key)?.set(bigSegmentName(segment), false)
        for (const key of included) lists.get(key)?.set(bigSegmentName(segment), true)
      }),
    )
  }
  return (key) => ({ status: 'HEALTHY', lists: lists.get(key) ?? new Map() })
}
