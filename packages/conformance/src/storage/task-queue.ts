import type { AccountStorage, QueueId, TakenTask } from '@halyard/core/storage'

/** The queue of most cases. */
export const queue: QueueId = { name: 'deliveries', scope: 'webhook/w' }
/** The same queue in another scope. */
export const other: QueueId = { name: 'deliveries', scope: 'webhook/v' }

/** Takes what is due in any scope of the queue. */
export function take(
  account: AccountStorage,
  now: number,
  { until = 10_000, limit = 100 }: { until?: number; limit?: number } = {},
): Promise<TakenTask[]> {
  return account.take({ name: queue.name, now, until, limit })
}

/** Ids of what is taken, in order. */
export async function idsTaken(
  account: AccountStorage,
  now: number,
  options: { until?: number; limit?: number } = {},
): Promise<string[]> {
  return (await take(account, now, options)).map(({ id }) => id)
}

/** So many of a thing, each made from its number. */
export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
