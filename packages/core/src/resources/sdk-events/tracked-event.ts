import { fail } from '../../operation/errors.ts'
import { type EvaluationContext, subjectOf } from '../../rules/evaluation/subject.ts'
import {
  type CustomEvent,
  isEventKey,
  isEventValue,
  keysOfContext,
  maxEventKeyLength,
} from '../../rules/sdk-protocol/sdk-events.ts'

/** An event that a program tracks in process. */
export interface TrackedEvent {
  readonly key: string
  readonly context: EvaluationContext
  /** Value for numeric metrics, from -1e100 to 1e100. Default: no value. */
  readonly value?: number
  /** JSON that belongs to the event. Default: no data. */
  readonly data?: unknown
}

/**
 * Returns the event in the form in which SDKs send it.
 *
 * @param now integer ms, UTC.
 * @throws ApiError `invalid_request` naming `key`, `context` or `value`.
 */
export function trackedEvent({ key, context, value, data }: TrackedEvent, now: number): CustomEvent {
  if (!isEventKey(key)) invalid('key', `must be a string of 1 to ${maxEventKeyLength} characters`)
  if (value !== undefined && !isEventValue(value)) invalid('value', 'must be a number from -1e100 to 1e100')
  const subject = subjectOf(context)
  if (typeof subject === 'string') invalid('context', subject)
  return { kind: 'custom', at: now, key, value, data, contextKeys: keysOfContext(context) ?? {} }
}

function invalid(attribute: string, reason: string): never {
  fail('invalid_request', { errors: [{ attribute, reason }] })
}
