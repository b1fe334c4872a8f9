import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import type { ReadContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { integer, list, moment, timestamp } from '../../operation/schema.ts'
import { type CompiledPolicy, compilePolicy } from '../../rules/policy/policy.ts'
import type { Sample } from '../../storage/port.ts'
import { compileRole } from '../policy.ts'
import { policyRequest } from '../roles/policy-schema.ts'
import { selectsEntry } from './selects-entry.ts'

/** Number of entries that are read at a time when statements select them. */
const entriesPerRead = 1_000

interface Period {
  readonly from: number
  readonly to: number
}

export const countChangeLog = operation({
  id: 'countChangeLog',
  summary:
    'Count the entries of the change log from `after` until `before` in periods of equal length; with policy statements only the entries that they select',
  method: 'POST',
  path: '/api/v2/auditlog/counts',
  query: v.object({
    after: moment(),
    before: v.optional(moment()),
    buckets: v.optional(integer(1, 500), 50),
  }),
  body: jsonBody(policyRequest),
  dry: true,
  success: {
    status: 200,
    body: v.object({
      buckets: list(v.object({ timestamp: timestamp(), count: v.number() })),
      totalCount: v.number(),
      bucketIntervalMs: v.number(),
    }),
  },
  errors: ['invalid_request'],
  access: { action: 'viewAuditLog', resource: 'acct' },
  async handle(context, { query: { after: from, before: to = context.readClock(), buckets: maxBuckets }, body }) {
    if (from >= to) {
      const reason = `must be earlier than \`before\`, which is ${to}`
      return context.fail('invalid_request', { errors: [{ attribute: 'after', reason }] })
    }
    const bucketIntervalMs = Math.ceil((to - from) / maxBuckets)
    const counts = new Array<number>(Math.ceil((to - from) / bucketIntervalMs)).fill(0)
    for await (const times of timesOf(context, { from, to }, body.length === 0 ? undefined : policyOf(body))) {
      for (const at of times) {
        const bucket = Math.floor((at - from) / bucketIntervalMs)
        counts[bucket] = (counts[bucket] ?? 0) + 1
      }
    }
    return {
      buckets: counts.map((count, bucket) => ({
        timestamp: context.format.time(from + bucket * bucketIntervalMs),
        count,
      })),
      totalCount: counts.reduce((sum, count) => sum + count, 0),
      bucketIntervalMs,
    }
  },
})

function policyOf(statements: v.InferOutput<typeof policyRequest>): CompiledPolicy {
  return compilePolicy([compileRole({ name: 'count', statements })])
}

/** Yields the times of the entries of a period. Without a policy no entry is read, only their times. */
async function* timesOf(
  context: ReadContext,
  { from, to }: Period,
  policy: CompiledPolicy | undefined,
): AsyncGenerator<Iterable<number>> {
  if (!policy) {
    yield (await context.tx.scan(changeLog, {}, { from, to, columns: 0 })).at
    return
  }
  // An empty id sorts before every other id, so the end itself is excluded.
  for (let before: LogPosition | undefined = { at: to, id: '' }; before; ) {
    const entries: readonly Sample[] = await context.tx.newest(changeLog, {}, { limit: entriesPerRead, from, before })
    const selected = await Promise.all(entries.map(({ body }) => selectsEntry(context, policy, body as ChangeLogEntry)))
    yield entries.filter((_, index) => selected[index]).map(({ at }) => at)
    before = entries.length < entriesPerRead ? undefined : entries.at(-1)
  }
}
