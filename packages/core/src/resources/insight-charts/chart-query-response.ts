import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import { integer, key, moment } from '../../operation/schema.ts'
import { type BucketQuery, bucketCount, dayMs } from '../../rules/lead-time/index.ts'

const maxBuckets = 2000

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/** Query parameters of all charts (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time). */
export const chartQuery = {
  projectKey: key(),
  environmentKey: key(),
  from: v.optional(moment()),
  to: v.optional(moment()),
  bucketType: v.optional(oneOf(['rolling', 'hour', 'day']), 'rolling'),
  bucketMs: v.optional(integer(1, Number.MAX_SAFE_INTEGER), dayMs),
}

interface ChartQuery extends Omit<BucketQuery, 'from' | 'to'> {
  readonly from?: number
  readonly to?: number
}

/**
 * Returns the time axis of a query. Default: the last seven days.
 *
 * @throws ApiError `invalid_request` for an empty range, and for more than 2,000 buckets.
 */
export function axisOf(
  context: Pick<ReadContext, 'readClock'> & { readonly fail: Fail<'invalid_request'> },
  query: ChartQuery,
): BucketQuery {
  const { fail } = context
  const now = context.readClock()
  const { from = now - 7 * dayMs, to = now, bucketType, bucketMs } = query
  if (from >= to) return fail('invalid_request', { errors: [{ attribute: 'from', reason: 'must be before `to`' }] })
  const axis = { from, to, bucketType, bucketMs }
  if (bucketCount(axis) <= maxBuckets) return axis
  const errors =
    bucketType === 'rolling'
      ? [{ attribute: 'bucketMs', reason: `must be so large that the range has at most ${maxBuckets} buckets` }]
      : [{ attribute: 'from', reason: `must be at most ${maxBuckets} ${bucketType}s before \`to\`` }]
  return fail('invalid_request', { errors })
}
