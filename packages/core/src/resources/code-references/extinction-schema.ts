import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { key, links, list, moment, timestamp } from '../../operation/schema.ts'
import type { Extinction } from './extinction.ts'

/** Request body of a scanner with the flags that are no longer referenced in a branch. */
export const extinctionsRequest = v.pipe(
  v.array(
    v.strictObject({
      revision: v.pipe(
        v.string(),
        v.minLength(1, 'must not be empty'),
        v.maxLength(256, 'must have at most 256 characters'),
      ),
      message: v.pipe(v.string(), v.maxLength(10_000, 'must have at most 10000 characters')),
      time: moment(),
      flagKey: key(),
      projKey: key(),
    }),
  ),
  v.maxLength(1000, 'must contain at most 1000 events'),
)

const extinctionResponse = v.object({
  revision: v.string(),
  message: v.string(),
  time: timestamp(),
  flagKey: v.string(),
  projKey: v.string(),
})

export const extinctionsResponse = v.object({
  _links: links(),
  items: v.record(v.string(), list(extinctionResponse)),
  totalCount: v.number(),
})

export function serializeExtinction(
  context: ReadContext,
  { revision, message, time, flagKey, projKey }: Extinction,
): v.InferOutput<typeof extinctionResponse> {
  return { revision, message, time: context.format.time(time), flagKey, projKey }
}
