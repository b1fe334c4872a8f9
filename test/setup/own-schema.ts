import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { uniqueSchema } from './postgres-storages.ts'

/** A schema of the test's own, not yet migrated. */
export function ownSchema(pool: pg.Pool): string {
  const schema = uniqueSchema()
  onTestFinished(async () => {
    await pool.query(`drop schema if exists ${schema} cascade`)
  })
  return schema
}
