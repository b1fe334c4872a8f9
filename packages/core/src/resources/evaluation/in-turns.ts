import type { Host } from '../../operation/context.ts'

/** Number of flags or segments that are prepared in one turn: about three milliseconds of work. */
const turnLength = 100

/**
 * Calls a function with each item, and lets other work of the process have its turn after every hundred, so that an
 * environment with ten thousand flags does not delay requests while it is loaded.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  { nextTurn }: Pick<Host, 'nextTurn'>,
  work: (item: Item) => void,
): Promise<void> {
  let count = 0
  for (const item of items) {
    if (count > 0 && count % turnLength === 0) await nextTurn()
    work(item)
    count++
  }
}
