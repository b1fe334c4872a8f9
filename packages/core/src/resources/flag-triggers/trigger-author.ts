import { flagConfigs } from '../../models/flags/flag-config.ts'
import type { Context } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { Replacement } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { type FlagTrigger, type FlagTriggerKeys, flagTriggers } from './flag-trigger.ts'

/**
 * Returns the stored rights (the mandate) with which a trigger of the caller changes the flag.
 *
 * @throws ApiError `forbidden` when the caller may not turn the flag on or off.
 */
export async function mandateForTrigger(
  context: Context<Writer, never>,
  keys: Omit<FlagTriggerKeys, 'id'>,
): Promise<FlagTrigger['mandate']> {
  // `allowed` instead of `demand`, because the change log records this right with the change of the flag.
  if (!(await context.allowed('updateOn', flagConfigs, keys))) {
    fail('forbidden', { explanation: await context.whyNot('updateOn', flagConfigs, keys) })
  }
  return mandateOf(context.caller)
}

/**
 * Stores a changed trigger. The caller becomes its author, unless the change only turns it off: otherwise a new URL or
 * another instruction would lend the rights of the author to the caller.
 *
 * @throws ApiError `forbidden` when the caller may not turn the flag on or off.
 */
export async function saveTrigger(
  context: Context<Writer, never>,
  { keys, before, after: wanted }: Replacement<FlagTrigger, FlagTriggerKeys>,
): Promise<FlagTrigger> {
  const { tx } = context
  if (jsonEqual(wanted, { ...before, enabled: false })) return tx.replace(flagTriggers, keys, before, wanted)
  const mandate = await mandateForTrigger(context, keys)
  return tx.replace(flagTriggers, keys, before, { ...wanted, mandate })
}
