import { type Perform, systemCaller } from '../../operation/perform.ts'
import { whyRefused } from '../../operation/why-refused.ts'
import type { AccountStorage, TakenTask } from '../../storage/port.ts'
import { callerBehind } from '../tokens/mandate.ts'
import { applyScheduledChange, failScheduledChange } from './apply-scheduled-change.ts'
import { type ScheduledChange, scheduledChanges, type ScheduledTask } from './scheduled-change.ts'

/**
 * Makes one change whose time has come, with what is left of the rights of whoever scheduled it.
 *
 * @returns whether it was made; where it cannot be, the change says why.
 * @throws ApiError where it can be tried again: storage does not answer, or others changed the same all the time.
 */
export async function makeDueChange(
  { storage, perform }: { readonly storage: Pick<AccountStorage, 'get' | 'getMany'>; readonly perform: Perform },
  { id, takes, body }: TakenTask,
): Promise<boolean> {
  const { id: changeId, ...place } = body as ScheduledTask
  const params = { ...place, id: changeId }
  const scheduled = (await storage.get(scheduledChanges.id(params)))?.body as ScheduledChange | undefined
  const name = `scheduled-change/${changeId}`
  const caller = scheduled ? await callerBehind(storage, scheduled.mandate, name) : systemCaller(name)
  const reason = caller
    ? await whyRefused(() => perform(applyScheduledChange, caller, { params, body: { id, takes } }), takes)
    : 'whoever scheduled it is no longer a member'
  if (reason === undefined) return true
  await perform(failScheduledChange, systemCaller(name), { params, body: { id, takes, reason } })
  return false
}
