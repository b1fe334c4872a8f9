import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { uniqueSchema } from './postgres-storages.ts'

/** Returns the name of a schema for one test, not yet migrated; it is dropped when the test ends. */
export function ownSchema(pool: pg.Pool): string {
  const schema = uniqueSchema()
  onTestFinished(async () => {
    await pool.query(`drop schema if exists ${schema} cascade`)
  })
  return schema
}
