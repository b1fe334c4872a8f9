import type { AccountStorage, QueueId, TakenTask } from '@halyard/core/storage'

/** The queue that most cases use. */
export const queue: QueueId = { name: 'deliveries', scope: 'webhook/w' }
/** The same queue in another scope. */
export const otherQueue: QueueId = { name: 'deliveries', scope: 'webhook/v' }

/** Takes the tasks that are due in any scope of the queue. */
export function take(
  account: AccountStorage,
  now: number,
  { until = 10_000, limit = 100 }: { until?: number; limit?: number } = {},
): Promise<TakenTask[]> {
  return account.take({ name: queue.name, now, until, limit })
}

/** Returns the ids of the taken tasks, in order. */
export async function idsTaken(
  account: AccountStorage,
  now: number,
  options: { until?: number; limit?: number } = {},
): Promise<string[]> {
  return (await take(account, now, options)).map(({ id }) => id)
}

/** Returns an array with the given number of elements, each made from its index. */
export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}
