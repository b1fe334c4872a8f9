import * as v from 'valibot'
import type { ScheduledChange, ScheduledChangeKeys } from '../../models/scheduled-changes/scheduled-change.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { booleanParameter, links, list, moment, text, timestamp } from '../../operation/schema.ts'
import { flagInstructionList } from '../flags/instructions/flag-instruction.ts'

/**
 * Query parameter that clients of the reference API send. It has no effect, because no change is refused on account of
 * another change.
 */
export const conflictQuery = v.object({ ignoreConflicts: v.optional(booleanParameter(), false) })

/** Request body of the creation of a scheduled change. */

export const scheduledChangeBody = v.strictObject({
  instructions: flagInstructionList,
  /** Integer ms, UTC. */
  executionDate: moment(),
  comment: v.optional(text(), ''),
})

/** Instruction of a semantic patch of a scheduled change (reference API: patchFlagConfigScheduledChange). */
export const scheduleInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('deleteScheduledChange') }),
  v.strictObject({ kind: v.literal('replaceScheduledChangesInstructions'), value: flagInstructionList }),
  v.strictObject({ kind: v.literal('updateScheduledChangesExecutionDate'), value: moment() }),
])

const scheduledChangeObject = v.object({
  _id: v.string(),
  _creationDate: timestamp(),
  _maintainerId: v.optional(v.string()),
  _version: v.number(),
  executionDate: timestamp(),
  instructions: list(v.record(v.string(), v.unknown())),
  comment: v.optional(v.string()),
  status: v.picklist(['pending', 'failed']),
  /** Time and reason of the failure, when the change could not be made. */
  failure: v.optional(v.object({ date: timestamp(), reason: v.string() })),
  _links: links(),
})

/** A scheduled change in a response. */
export interface ScheduledChangeResponse extends v.InferOutput<typeof scheduledChangeObject> {}

export const scheduledChangeResponse: v.GenericSchema<ScheduledChangeResponse> = scheduledChangeObject

export function serializeScheduledChange(
  { format }: Pick<ReadContext, 'format'>,
  {
    id,
    version,
    executionDate,
    instructions: storedInstructions,
    comment,
    failure,
    mandate,
    createdAt,
  }: ScheduledChange,
  { projectKey, flagKey, environmentKey }: Omit<ScheduledChangeKeys, 'id'>,
): ScheduledChangeResponse {
  const parent = path`/api/v2/projects/${projectKey}/flags/${flagKey}/environments/${environmentKey}/scheduled-changes`
  return {
    _id: id,
    _creationDate: format.time(createdAt),
    ...(mandate.memberId === undefined ? {} : { _maintainerId: mandate.memberId }),
    _version: version,
    executionDate: format.time(executionDate),
    instructions: storedInstructions as ScheduledChangeResponse['instructions'],
    ...(comment === '' ? {} : { comment }),
    status: failure ? 'failed' : 'pending',
    ...(failure ? { failure: { date: format.time(failure.at), reason: failure.reason } } : {}),
    _links: { self: linkTo(`${parent}/${encodeURIComponent(id)}`), parent: linkTo(parent) },
  }
}
