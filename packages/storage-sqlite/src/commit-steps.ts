import { type Change, type DocumentChange, isDocumentChange } from '@halyard/core/storage'
import { allSql } from './conditions.ts'
import { documentSteps, joinsRun } from './document-steps.ts'
import { addKeysSql, clearKeysSql, copyKeysSql, removeKeysSql, removeOthersSql } from './key-sets.ts'
import { loadSteps } from './load-steps.ts'
import { jsonChunks, rowChunks } from './row-source.ts'
import { ofSeries, sampleColumns, sampleRow } from './samples.ts'
import { atOrUnder } from './scope-ranges.ts'
import { fixedSql, type Sql, sql } from './sql.ts'
import { change as changing } from './sqlite-driver.ts'
import { countedSteps, requireStep, type Step } from './step.ts'
import { taskColumns, taskRow } from './tasks.ts'

/** Plans the statements of a batch, in the order of its changes. Adjacent changes of documents share statements. */
export function planSteps(account: string, batch: readonly Change[]): Step[] {
  const steps: Step[] = []
  let run: DocumentChange[] = []
  const endRun = () => {
    steps.push(...documentSteps(account, run))
    run = []
  }
  for (const [index, change] of batch.entries()) {
    if (!isDocumentChange(change)) {
      endRun()
      steps.push(...otherSteps(account, index, change))
    } else {
      if (!joinsRun(run, change)) endRun()
      run.push(change)
    }
  }
  endRun()
  return steps
}

function otherSteps(account: string, index: number, change: Exclude<Change, DocumentChange>): Step[] {
  const counted = (statements: readonly Sql[]) => statements.flatMap((statement) => countedSteps(statement, index))
  switch (change.do) {
    case 'discard-all': {
      const records = sql`halyard_documents where account = ${account} and collection = ${change.collection}`
      return counted([sql`delete from ${records} and ${atOrUnder(change.scope, records)} and ${allSql(change.where)}`])
    }
    case 'clear':
      return counted(
        ['halyard_documents', 'halyard_members', 'halyard_samples', 'halyard_tasks'].map((table) => {
          const records = sql`${fixedSql(table)} where account = ${account}`
          return sql`delete from ${records} and ${atOrUnder(change.scope, records)}`
        }),
      )
    case 'add-keys':
      return counted(addKeysSql(account, change.set, change.keys))
    case 'remove-keys':
      return counted(removeKeysSql(account, change.set, change.keys))
    case 'move-keys': {
      const { from, into, replace } = change
      return [
        ...(replace ? [{ statement: changing(removeOthersSql(account, into, from)) }] : []),
        ...counted([copyKeysSql(account, from, into)]),
        { statement: changing(clearKeysSql(account, from)) },
      ]
    }
    case 'append':
      return counted(appendSql(account, change))
    case 'delete-samples':
      return counted(
        jsonChunks(change.ids).map(
          (json) => sql`delete from halyard_samples
            where ${ofSeries(account, change.series)} and id in (select value from json_each(${json}))`,
        ),
      )
    case 'trim':
      return counted([
        sql`delete from halyard_samples where ${ofSeries(account, change.series)} and at < ${change.before}`,
      ])
    case 'load':
      return loadSteps(account, index, change.records)
    case 'run-statement':
      throw new TypeError('the sqlite storage runs no statements of the application')
    default:
      return taskSteps(account, index, change)
  }
}

function appendSql(account: string, { series, samples }: Extract<Change, { readonly do: 'append' }>): Sql[] {
  const columns = fixedSql(sampleColumns.join(', '))
  return rowChunks(sampleColumns, samples.map(sampleRow)).map(
    ({ source }) => sql`insert or ignore into halyard_samples (account, scope, name, ${columns})
      select ${account}, ${series.scope}, ${series.name}, w.* from (${source}) w`,
  )
}

function taskSteps(
  account: string,
  index: number,
  change: Extract<Change, { readonly do: 'enqueue' | 'finish' | 'postpone' }>,
): Step[] {
  const { name, scope } = change.queue
  if (change.do === 'enqueue') {
    const columns = fixedSql(taskColumns.join(', '))
    const rows = change.tasks.map((task) => taskRow(change.queue, task))
    return rowChunks(taskColumns, rows).flatMap(({ source }) =>
      countedSteps(
        sql`insert or ignore into halyard_tasks (account, ${columns}) select ${account}, w.* from (${source}) w`,
        index,
      ),
    )
  }
  const task = sql`account = ${account} and scope = ${scope} and name = ${name} and id = ${change.task}`
  const taken = change.takes === undefined ? sql`` : sql`and takes = ${change.takes}`
  const statement =
    change.do === 'finish'
      ? sql`delete from halyard_tasks where ${task} ${taken}`
      : sql`update halyard_tasks set due = ${change.due}, leased_until = 0, body = ${JSON.stringify(change.body ?? null)}
          where ${task} ${taken}`
  if (change.takes === undefined) return countedSteps(statement, index)
  return [requireStep(sql`select 1 from halyard_tasks where ${task} ${taken}`), ...countedSteps(statement, index)]
}
