import type { LogPosition } from '../../operation/change-log/change-log.ts'
import { parseEntryId } from '../../operation/change-log/entry-id.ts'
import { fail } from '../../operation/errors.ts'

/**
 * A moment of the past: a time as a `Date`, as integer ms, or as ISO 8601 text with a time zone; or the id of an entry
 * of the change log, for the state in which that entry left the account.
 */
export type MomentInput = Date | number | string | { readonly entry: string }

/** A moment of the past, in the order of the change log. */
export interface Moment {
  /** Integer milliseconds, UTC. */
  readonly time: number
  /** Entries of the change log at this position or after it belong to the time after the moment. */
  readonly end: LogPosition
}

/** The name of the input in error messages: `time`, or that of a header. */
export type MomentName = string

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * Parses a moment. If the moment is a time, entries of the same millisecond belong to the past state.
 *
 * @param now the current time, integer ms, UTC.
 * @throws ApiError `invalid_request` naming the input when it is not a moment, or in the future.
 */
export function parseMoment(input: MomentInput, now: number, name: MomentName): Moment {
  const moment =
    typeof input === 'object' && !(input instanceof Date)
      ? // An engine in JavaScript receives any value, also null.
        momentOfEntry((input as { readonly entry?: unknown } | null)?.entry, name)
      : momentOfTime(input, name)
  if (moment.time > now) refuseMoment(name, 'must not be in the future')
  return moment
}

function momentOfTime(input: Date | number | string, name: MomentName): Moment {
  const time = millisecondsOf(input)
  if (!Number.isSafeInteger(time) || time < 0) {
    refuseMoment(name, 'must be a time: integer milliseconds, or ISO 8601 with a time zone such as 2026-11-01T12:00Z')
  }
  return { time, end: { at: time + 1, id: '' } }
}

function millisecondsOf(input: Date | number | string): number {
  if (typeof input === 'number') return input
  if (input instanceof Date) return input.getTime()
  return isoTime.test(input) ? Date.parse(input) : Number.NaN
}

function momentOfEntry(entry: unknown, name: MomentName): Moment {
  const position = typeof entry === 'string' ? parseEntryId(entry) : undefined
  if (!position) return refuseMoment(`${name}.entry`, 'must be the id of an entry of the change log')
  // A space sorts before all characters of ids, so that no other entry is between the two positions.
  return { time: position.at, end: { at: position.at, id: `${position.id} ` } }
}

/** @throws ApiError `invalid_request` naming the input. */
export function refuseMoment(name: MomentName, reason: string): never {
  return fail('invalid_request', { errors: [{ attribute: name, reason }] })
}
