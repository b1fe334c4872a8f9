import type { Reader } from '../../storage/reader.ts'
import type { ConfigKeys } from './flag-config.ts'

/**
 * When flags were evaluated the last time, each in one environment, asked for together: integer ms, null for never,
 * undefined where nobody counts. The one place that knows; nobody counts evaluations yet.
 */
export async function lastRequested(_: Reader, places: readonly ConfigKeys[]): Promise<(number | null | undefined)[]> {
  return places.map(() => undefined)
}
