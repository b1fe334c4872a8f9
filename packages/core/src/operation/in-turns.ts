import type { Host } from './context.ts'

/** Number of flags or segments that are prepared in one turn: about three milliseconds of work. */
const preparedFlags = 100

/**
 * Calls a function with each item. After some items it lets other work of the process run, so that loading an
 * environment with ten thousand flags does not delay requests.
 *
 * @param turnLength number of items of a turn: those that take about three milliseconds. Default: 100, for flags and
 *   segments that are prepared for evaluation.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  { nextTurn }: Pick<Host, 'nextTurn'>,
  work: (item: Item) => void,
  turnLength = preparedFlags,
): Promise<void> {
  let count = 0
  for (const item of items) {
    if (count > 0 && count % turnLength === 0) await nextTurn()
    work(item)
    count++
  }
}
