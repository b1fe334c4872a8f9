import { type Change, storableJson } from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import { allSql } from '../documents/conditions.ts'
import { areEqualities, searchOf } from '../documents/equality-search.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { type AccountBinding, bindAccount } from '../statements/account-binding.ts'
import { underScope } from '../statements/scope-ranges.ts'

/** A change of everything under a scope, whatever exists there. */
export type Sweep = Extract<Change, { readonly do: 'clear' | 'discard-all' }>
type DiscardAll = Extract<Change, { readonly do: 'discard-all' }>

export function isSweep(change: Change): change is Sweep {
  return change.do === 'clear' || change.do === 'discard-all'
}

/** Returns true for a sweep that the SQL function `sweep` can run. All sweeps that operations make are of this kind. */
export function fitsFunction(sweep: Sweep): boolean {
  return sweep.do === 'clear' || areEqualities(sweep.where)
}

/**
 * Returns an expression that runs sweeps one after the other. Its value is the JSON text of a list with the number of
 * records that each has deleted.
 *
 * @param settled an expression that is evaluated before the first sweep.
 * @param sweeps sweeps that fit the function.
 */
export function sweepSql({ tables, owner, bind }: AccountBinding, settled: string, sweeps: readonly Sweep[]): string {
  return `${tables.sweep}(${settled}, ${owner}, ${bind(storableJson(sweeps.map(parameterOf)))}::jsonb)`
}

function parameterOf(sweep: Sweep): object {
  return sweep.do === 'clear' ? { scope: sweep.scope } : searchOf(sweep)
}

/** Returns the statement of one sweep. */
export function sweepStatement(accountTables: AccountTables, sweep: Sweep): Statement {
  const binding = bindAccount(accountTables)
  if (!fitsFunction(sweep) && sweep.do === 'discard-all') return discardStatement(binding, sweep)
  return {
    name: `sweep ${binding.tables.schema}`,
    text: `select ${sweepSql(binding, `''`, [sweep])} as swept`,
    values: binding.values,
  }
}

function discardStatement(
  { tables, owner, bind, values }: AccountBinding,
  { collection, scope, where }: DiscardAll,
): Statement {
  const tests = [
    `account = ${owner} and collection = ${bind(collection)}`,
    ...underScope(scope, bind),
    allSql(where, bind),
  ]
  return { text: `delete from ${tables.documents} where ${tests.join(' and ')}`, values }
}
