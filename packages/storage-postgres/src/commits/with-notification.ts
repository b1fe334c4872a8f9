import type { Statement } from '../connections/sql-driver.ts'
import type { ChangeNotification } from './change-notification.ts'

/**
 * Extends a statement so that it also sends a change notification. The single row of its result contains the `count` of
 * the rows that it wrote.
 *
 * @returns undefined for a statement that does not start with `insert` or `delete`: only these can be part of another
 *   statement.
 */
export function withNotification(
  { name, text, values, ofApplication }: Statement,
  { channel, payload }: ChangeNotification,
): Statement | undefined {
  if (ofApplication) return undefined
  const notifySql = `pg_notify($${values.length + 1}::text, $${values.length + 2}::text)::text as sent`
  if (!/^(insert|delete) /.test(text)) return undefined
  return {
    name: name === undefined ? undefined : `${name} told`,
    text: `with step as (${text} returning 1) select count(*)::float8 as count, ${notifySql} from step`,
    values: [...values, channel, payload],
  }
}

/** Returns a statement that only sends a change notification. */
export function notificationStatement({ channel, payload }: ChangeNotification): Statement {
  return { name: 'tell', text: 'select pg_notify($1::text, $2::text)::text as sent', values: [channel, payload] }
}
