import type { Host } from '../../operation/context.ts'
import { fail as forbid } from '../../operation/errors.ts'
import { findByIndex, type LocatedDocument } from '../../operation/find-by-index.ts'
import { anonymousOperation, operation } from '../../operation/operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { type Reader, StorageReader } from '../../storage/reader.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import { callerOfMandate, mandateOf } from '../tokens/mandate.ts'
import { type FlagTrigger, flagTriggerIndex, flagTriggers, flagTriggerUses } from './flag-trigger.ts'

interface TriggerParams {
  readonly id: string
  readonly secret: string
}

/** Finds the trigger of a URL; undefined for an unknown id, and for a secret that is wrong or was replaced. */
async function findTrigger(
  tx: Reader,
  host: Host,
  { id, secret }: TriggerParams,
): Promise<LocatedDocument<FlagTrigger, typeof flagTriggers.template> | undefined> {
  const trigger = await findByIndex(tx, flagTriggerIndex, flagTriggers, { id })
  const { hash } = trigger?.document ?? {}
  return hash !== undefined && (await host.sha256(secret)) === hash ? trigger : undefined
}

const invocation = operation({
  id: 'invokeFlagTrigger',
  summary: 'Turn a flag on or off by the URL of a trigger, with the rights that its author still has',
  method: 'POST',
  path: '/webhook/triggers/{id}/{secret}',
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { anonymous: true, identifies: true, why: 'the secret in the path authenticates the author of the trigger' },
  async identify({ reads, host }, params) {
    const trigger = await findTrigger(new StorageReader(reads), host, params)
    return trigger && callerOfMandate(reads, trigger.document.mandate, `flag-trigger/${params.id}`)
  },
  async handle(context, { params }) {
    const { tx, caller, fail } = context
    const match = (await findTrigger(tx, context.useHost(), params)) ?? fail('not_found')
    const { keys, document: trigger } = match
    // Another caller became the author of the trigger after the author was identified for this request.
    if (!jsonEqual({ ...mandateOf(caller), grants: caller.grants }, trigger.mandate)) fail('optimistic_locking_error')
    if (!trigger.enabled) forbid('forbidden', { message: 'The trigger is turned off' })
    const { projectKey, environmentKey, flagKey: resourceKey } = keys
    const subject = await loadFlagSubject(tx, { kind: 'flag', projectKey, environmentKey, resourceKey })
    if (!subject) return fail('not_found')
    const comment = 'trigger'
    await subject.apply(context, trigger.instructions, { comment, fullCheck: true })
    context.setComment(comment)
    tx.expect(flagTriggers, keys, trigger)
    const use = await tx.get(flagTriggerUses, keys)
    const next = { count: (use?.count ?? 0) + 1, lastAt: context.readClock() }
    if (use) tx.follow(flagTriggerUses, keys, use, { ...use, ...next })
    else tx.insert(flagTriggerUses, keys, next)
  },
})

export const invokeFlagTrigger = anonymousOperation(invocation)
