import type { DocumentId } from '@halyard/core/storage'
import { collectValues } from './bind.ts'
import { columnsOf } from './documents.ts'
import type { Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/**
 * Returns the statement that locks the documents that a batch has preconditions on, whatever their versions. Another
 * batch that expects one of them cannot then add documents to a scope that this batch clears.
 */
export function lockStatement({ documents }: Tables, account: string, ids: readonly DocumentId[]): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const columns = columnsOf(ids).map((column) => `${bind(column)}::text[]`)
  const text = `select 1 as locked from ${documents} d
    join unnest(${columns.join(', ')}) as t(collection, scope, key) using (collection, scope, key)
    where d.account = ${owner} order by collection, scope, key for update of d`
  return { text, values }
}
