import { expect, it } from 'vitest'
import { RowCopy } from './row-copy.ts'
import { forever, type RowSource, validUntil } from './row-source.ts'

const scope = 'proj/p'
const all = { limit: 10 }

/** A source of rows with numbers. Its reads by key are held up, and return the numbers from when they began. */
function slowSource(numbers: Map<string, number>) {
  const waiting: (() => void)[] = []
  const rowsOf = (keys: Iterable<string>, now: number) =>
    [...keys].map((key) => ({
      document: { key, scope, version: 1, body: undefined },
      // One row changes with the time.
      fields: { n: numbers.get(key) ?? 0, [validUntil]: key === 'timed' && now < 10 ? 10 : forever },
    }))
  const source: RowSource = {
    scope,
    lists: [],
    expires: true,
    readPart: async (_part, now) => rowsOf(numbers.keys(), now),
    readKeys(keys, now) {
      const rows = rowsOf(keys, now)
      return new Promise((resolve) => waiting.push(() => resolve(rows)))
    },
  }
  return { source, waiting }
}

/** Lets promises that are ready continue. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('rows that are changed during a read have their last state, whichever read ends first', async () => {
  const numbers = new Map([
    ['changed', 1],
    ['timed', 1],
  ])
  const { source, waiting } = slowSource(numbers)
  const copy = new RowCopy(
    source,
    () => () => undefined,
    () => {},
  )
  await copy.readAll(0)
  const change = (n: number) => {
    numbers.set('changed', n)
    copy.invalidate({ collection: 'note', scope, key: 'changed' })
  }
  change(2)
  const pages = [copy.page(all, 10), copy.page(all, 10)]
  await turn()
  change(3)
  pages.push(copy.page(all, 10))
  await turn()
  // The read that began last ends first.
  while (waiting.length > 0) {
    waiting.pop()?.()
    await turn()
  }
  await Promise.all(pages)
  const last = await copy.page(all, 10)
  expect(last?.rows.map(({ document, fields }) => [document.key, fields.n])).toEqual([
    ['changed', 3],
    ['timed', 1],
  ])
})
