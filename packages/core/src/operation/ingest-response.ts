import * as v from 'valibot'

/** Maximum number of items that one call may ingest. */
export const maxIngested = 10_000

/**
 * Result of a batch: the number of items that were sent, the number of those that were new or different, and the number
 * of those that were already stored.
 */
export const ingestResponseSchema = v.object({ accepted: v.number(), added: v.number(), known: v.number() })

/** Returns the response to a call that sent `accepted` items, of which `added` were new or different. */
export function ingestResponse(accepted: number, added: number): v.InferOutput<typeof ingestResponseSchema> {
  return { accepted, added, known: accepted - added }
}
