import type { Host } from '../../operation/context.ts'

/** Number of flags or segments that are prepared in one turn: about three milliseconds of work. */
const turnLength = 100

/**
 * Calls a function with each item. After every hundred items it lets other work of the process run, so that loading an
 * environment with ten thousand flags does not delay requests.
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
