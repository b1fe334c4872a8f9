import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { type FlagTrigger, type FlagTriggerKeys, flagTriggerUses } from './flag-trigger.ts'

/** The instructions of a trigger: one that turns the flag on or off. */
export const triggerInstructions = v.pipe(
  list(v.strictObject({ kind: v.picklist(['turnFlagOn', 'turnFlagOff']) })),
  v.length(1, 'must contain exactly 1 instruction'),
)

/** Instruction of a semantic patch of a trigger (reference API: patchTriggerWorkflow). */
export const triggerPatchInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('enableTrigger') }),
  v.strictObject({ kind: v.literal('disableTrigger') }),
  v.strictObject({ kind: v.literal('cycleTriggerUrl') }),
  v.strictObject({ kind: v.literal('replaceTriggerActionInstructions'), value: triggerInstructions }),
])

const flagTriggerObject = v.object({
  _id: v.string(),
  _version: v.number(),
  _creationDate: timestamp(),
  /** The member with whose rights the trigger changes the flag. */
  _maintainerId: v.optional(v.string()),
  _integrationKey: v.string(),
  enabled: v.boolean(),
  instructions: list(v.object({ kind: v.string() })),
  _triggerCount: v.number(),
  _lastTriggeredAt: v.optional(timestamp()),
  /** Path of the URL. Only in the response to the call that creates the URL. */
  triggerURL: v.optional(v.string()),
  _links: links(),
})

/** A flag trigger in a response. */
export interface FlagTriggerResponse extends v.InferOutput<typeof flagTriggerObject> {}

export const flagTriggerResponse: v.GenericSchema<FlagTriggerResponse> = flagTriggerObject

/**
 * Makes the response for a trigger.
 *
 * @param secret the secret of its URL, when the call has created it.
 */
export async function serializeFlagTrigger(
  { tx, format }: Pick<ReadContext, 'tx' | 'format'>,
  trigger: FlagTrigger,
  keys: FlagTriggerKeys,
  secret?: string,
): Promise<FlagTriggerResponse> {
  const { id, version, integrationKey, enabled, instructions, mandate, createdAt } = trigger
  const { projectKey, flagKey, environmentKey } = keys
  const parent = path`/api/v2/flags/${projectKey}/${flagKey}/triggers/${environmentKey}`
  const use = await tx.get(flagTriggerUses, keys)
  return {
    _id: id,
    _version: version,
    _creationDate: format.time(createdAt),
    ...(mandate.memberId === undefined ? {} : { _maintainerId: mandate.memberId }),
    _integrationKey: integrationKey,
    enabled,
    instructions: instructions.map(({ kind }) => ({ kind })),
    _triggerCount: use?.count ?? 0,
    ...(use ? { _lastTriggeredAt: format.time(use.lastAt) } : {}),
    ...(secret === undefined ? {} : { triggerURL: path`/webhook/triggers/${id}/${secret}` }),
    _links: { self: linkTo(`${parent}/${encodeURIComponent(id)}`), parent: linkTo(parent) },
  }
}
