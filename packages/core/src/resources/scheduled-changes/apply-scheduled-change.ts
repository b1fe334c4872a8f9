import type { Output } from '../../operation/schema.ts'
import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { loadFlagSubject } from '../approval-requests/flag-subject.ts'
import { scheduledChanges, scheduledChangeTasks } from './scheduled-change.ts'

const dueTask = v.object({ id: v.string(), takes: v.number() })

export type DueTask = Output<typeof dueTask>

const path = '/proj/{projectKey}/env/{environmentKey}/flag/{featureFlagKey}/scheduled-change/{id}'
const access = {
  open: true,
  why: 'it is nobody’s call; what it changes asks for the rights of whoever scheduled it',
} as const

/** Makes a change whose time has come, and is done with its task in the same commit: once, however many try. */
export const applyScheduledChange = operation({
  id: 'applyScheduledChange',
  summary: 'Apply a scheduled change of a flag',
  method: 'POST',
  path,
  body: jsonBody(dueTask),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access,
  attempts: 3,
  async handle(context, { params, body: task }) {
    const { tx } = context
    tx.finish(scheduledChangeTasks, params, task)
    const scheduled = await tx.get(scheduledChanges, params)
    // It was planned anew, or deleted, when somebody had taken it already.
    if (scheduled?.taskId !== task.id) return
    const { projectKey, environmentKey, featureFlagKey: resourceKey } = params
    const subject =
      (await loadFlagSubject(tx, { kind: 'flag', projectKey, environmentKey, resourceKey })) ??
      context.fail('not_found')
    const { instructions, comment } = scheduled
    await subject.follow(context as never, instructions, { comment, thorough: true, approved: false })
    tx.remove(scheduledChanges, params, scheduled)
    context.remark(comment === '' ? 'scheduled change' : comment)
  },
})

/** Notes why a change could not be made; it is not tried again. */
export const failScheduledChange = operation({
  id: 'failScheduledChange',
  summary: 'Note why a scheduled change could not be made',
  method: 'POST',
  path,
  body: jsonBody(v.object({ ...dueTask.entries, reason: v.string() })),
  success: { status: 204 },
  errors: [],
  access,
  attempts: 3,
  async handle(context, { params, body: { reason, ...task } }) {
    const { tx, now } = context
    tx.finish(scheduledChangeTasks, params, task)
    const scheduled = await tx.get(scheduledChanges, params)
    if (scheduled?.taskId !== task.id) return
    tx.follow(scheduledChanges, params, scheduled, { ...scheduled, failure: { at: now, reason } })
    context.remark(`A scheduled change could not be made: ${reason}`)
  },
})
