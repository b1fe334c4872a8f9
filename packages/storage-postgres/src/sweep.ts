import { type Change, storableJson } from '@halyard/core/storage'
import type { Bind } from './bind.ts'
import { collectValues } from './bind.ts'
import { allSql } from './conditions.ts'
import { areEqualities, searchOf } from './equality-search.ts'
import { underScope } from './scope-ranges.ts'
import type { Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

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
export function sweepSql(
  tables: Tables,
  account: string,
  settled: string,
  sweeps: readonly Sweep[],
  bind: Bind,
): string {
  return `${tables.sweep}(${settled}, ${account}, ${bind(storableJson(sweeps.map(parameterOf)))}::jsonb)`
}

function parameterOf(sweep: Sweep): object {
  return sweep.do === 'clear' ? { scope: sweep.scope } : searchOf(sweep)
}

/** Returns the statement of one sweep. */
export function sweepStatement(tables: Tables, account: string, sweep: Sweep): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  if (!fitsFunction(sweep) && sweep.do === 'discard-all')
    return discardStatement(tables, owner, sweep, { values, bind })
  return {
    name: `sweep ${tables.schema}`,
    text: `select ${sweepSql(tables, owner, `''`, [sweep], bind)} as swept`,
    values,
  }
}

function discardStatement(
  { documents }: Tables,
  owner: string,
  { collection, scope, where }: DiscardAll,
  { values, bind }: ReturnType<typeof collectValues>,
): Statement {
  const tests = [
    `account = ${owner} and collection = ${bind(collection)}`,
    ...underScope(scope, bind),
    allSql(where, bind),
  ]
  return { text: `delete from ${documents} where ${tests.join(' and ')}`, values }
}
