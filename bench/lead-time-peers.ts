import { DuckDBInstance } from '@duckdb/node-api'
import { day, history, now } from './lead-time-history.ts'

const stages = ['coding', 'review', 'wait', 'deploy']
const columns = ['deployed_at', ...stages, 'total']
const quantiles = [0.5, 0.75, 0.9, 0.95, 0.99]

/** End of the rolling windows, which is not on a full hour. */
export const rollingEnd = now - 12_345_678

/** The queries of the suite, as parameters for a database of rows: start of the buckets, and durations to measure. */
export const queries = {
  'by stage': { bucketStart: 0, measures: stages, groups: [], from: now - 30 * day, to: now },
  'by application': { bucketStart: 0, measures: ['total'], groups: ['application'], from: now - 30 * day, to: now },
  'rolling windows': {
    bucketStart: rollingEnd % day,
    measures: stages,
    groups: [],
    from: rollingEnd - 29 * day,
    to: rollingEnd,
  },
} as const satisfies Record<string, object>

export type QueryName = keyof typeof queries

export const tableSql = `create table changes (application text, ${columns.map((name) => `${name} bigint`).join(', ')})`

export const insertSql = `insert into changes select * from json_to_recordset($1)
  as r(application text, ${columns.map((name) => `${name} bigint`).join(', ')})`

/** Returns the SQL of a query with `percentile_cont` over `date_bin`. */
export function percentileSql(name: QueryName): string {
  const { bucketStart, measures, groups, from, to } = queries[name]
  const origin = `timestamptz '2000-01-01 00:00:00+00' + interval '${bucketStart} milliseconds'`
  const selected = measures.map((measure) => `percentile_cont(array[${quantiles}]) within group (order by ${measure})`)
  return `select date_bin('1 day', to_timestamp(deployed_at / 1000.0), ${origin}) as bucket, ${[...groups, ...selected].join(', ')}
    from changes where deployed_at >= ${from} and deployed_at < ${to} group by ${['1', ...groups].join(', ')}`
}

/** Returns the samples as rows of durations, ten thousand in one JSON text. */
export function* rowsAsJson(count: number, days: number): Generator<string> {
  let rows: object[] = []
  for (const change of history(count, days)) {
    const { startedAt, openedAt, mergedAt, deployStartedAt, deployedAt } = change
    rows.push({
      application: change.applicationKey,
      deployed_at: deployedAt,
      coding: openedAt - startedAt,
      review: mergedAt - openedAt,
      wait: deployStartedAt - mergedAt,
      deploy: deployedAt - deployStartedAt,
      total: deployedAt - startedAt,
    })
    if (rows.length === 10_000) {
      yield JSON.stringify(rows)
      rows = []
    }
  }
}

/** Opens DuckDB in this process, on one thread, with the same rows. */
export async function duckDb(count: number, days: number) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(tableSql)
  const appender = await connection.createAppender('changes')
  for (const rows of rowsAsJson(count, days)) {
    for (const row of JSON.parse(rows) as Record<string, number | string>[]) {
      appender.appendVarchar(row.application as string)
      for (const column of columns) appender.appendBigInt(BigInt(row[column] as number))
      appender.endRow()
    }
  }
  appender.closeSync()
  return {
    async query(name: QueryName) {
      const { bucketStart, measures, groups, from, to } = queries[name]
      const selected = measures.map((measure) => `quantile_cont(${measure}, [${quantiles}])`)
      const sql = `select (deployed_at - ${bucketStart}) // ${day} as bucket, ${[...groups, ...selected].join(', ')}
        from changes where deployed_at >= ${from} and deployed_at < ${to} group by ${['1', ...groups].join(', ')}`
      return (await connection.runAndReadAll(sql)).getRows()
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
