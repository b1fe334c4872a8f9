import type { Query, SelectedRows, Selection } from './sql-driver.ts'

/** Opens a cursor for each selection. In a REPEATABLE READ transaction all of them read the same snapshot. */
export async function openCursors(
  query: Query,
  selections: readonly Selection[],
  { hold, prefix }: { readonly hold: boolean; readonly prefix: string },
): Promise<void> {
  for (const [i, { text, values }] of selections.entries()) {
    const holdClause = hold ? 'with hold' : 'without hold'
    await query({ text: `declare ${prefix}${i} no scroll cursor ${holdClause} for ${text}`, values })
  }
}

/** Yields the rows of the cursors, page by page. */
export async function* fetchAll(
  query: Query,
  selections: readonly Selection[],
  prefix: string,
): AsyncGenerator<SelectedRows> {
  for (const [selection, { rows: limit }] of selections.entries()) {
    for (let full = true; full; ) {
      const text = `fetch forward ${limit} from ${prefix}${selection}`
      const { rows } = await query<SelectedRows['rows'][number]>({ text, values: [] })
      if (rows.length > 0) yield { selection, rows }
      full = rows.length === limit
    }
  }
}
