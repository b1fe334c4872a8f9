import type { Query } from '../connections/sql-driver.ts'
import type { Tables } from './tables.ts'

/** Maximum number of partitions of a table. Planning a statement takes longer with each of them. */
const maxPartitions = 256

/**
 * Checks a number of partitions.
 *
 * @throws RangeError for a number that is not whole or not from 0 to 256.
 */
export function checkPartitions(partitions: number): number {
  if (Number.isInteger(partitions) && partitions >= 0 && partitions <= maxPartitions) return partitions
  throw new RangeError(`partitions: must be a whole number from 0 to ${maxPartitions}, but is ${partitions}`)
}

/**
 * Converts a statement of a migration to the statements for a schema whose tables are partitioned by account. Only the
 * creation of a table differs: indexes and columns of a partitioned table are those of its partitions.
 */
export function partitionStatements(statement: string, partitions: number): readonly string[] {
  const table = /^create table (\S+) \(/.exec(statement)?.[1]
  if (table === undefined || partitions === 0) return [statement]
  const parts = Array.from(
    { length: partitions },
    (_, i) =>
      `create table ${table}_p${i} partition of ${table} for values with (modulus ${partitions}, remainder ${i})`,
  )
  return [`${statement} partition by hash (account)`, ...parts]
}

/** Returns the number of partitions of each table of a schema; 0 for plain tables. */
export async function countPartitions(query: Query, { documents }: Tables): Promise<number> {
  const text = 'select count(*)::int as partitions from pg_inherits where inhparent = to_regclass($1)'
  const { rows } = await query<{ partitions: number }>({ text, values: [documents] })
  return rows[0]?.partitions ?? 0
}
