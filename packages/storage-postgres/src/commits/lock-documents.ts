import type { DocumentId } from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import { columnsOf } from '../documents/documents.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { bindAccount } from '../statements/account-binding.ts'

/**
 * Returns the statement that locks the documents on which a batch has preconditions, whatever their versions. While
 * they are locked, another batch that expects one of them cannot add documents to a scope that this batch clears.
 */
export function lockStatement(accountTables: AccountTables, ids: readonly DocumentId[]): Statement {
  const { tables, owner, bind, values } = bindAccount(accountTables)
  const columns = columnsOf(ids).map((column) => `${bind(column)}::text[]`)
  const text = `select 1 as locked from ${tables.documents} d
    join unnest(${columns.join(', ')}) as t(collection, scope, key) using (collection, scope, key)
    where d.account = ${owner} order by collection, scope, key for update of d`
  return { text, values }
}
