import * as v from 'valibot'

/** The most that one call may feed. */
export const maxIngested = 10_000

/** What became of a batch: as many were sent, were new or different, and were known as they are. */
export const ingestResponseSchema = v.object({ accepted: v.number(), added: v.number(), known: v.number() })

/** The answer to a call that fed so many, of which some were new or different. */
export function ingestResponse(accepted: number, added: number): v.InferOutput<typeof ingestResponseSchema> {
  return { accepted, added, known: accepted - added }
}
