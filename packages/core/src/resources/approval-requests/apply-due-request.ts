import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { isOpen } from '../../rules/approval/life.ts'
import { type ApprovalPlace, approvalRequests, dueRequestTasks } from './approval-request.ts'
import { applyRequest } from './apply-request.ts'
import { keysOf } from './find-request.ts'

const place = v.custom<ApprovalPlace>((value) => typeof value === 'object')
const dueRequest = v.object({ id: v.string(), takes: v.number(), place })
const path = '/due-approval-requests'
const access = {
  open: true,
  why: 'it is nobody’s call; what it changes asks for the rights of whoever made the request',
} as const

/** Applies a request whose time has come, and is done with its task in the same commit: once, however many try. */
export const applyDueRequest = operation({
  id: 'applyScheduledApprovalRequest',
  summary: 'Apply an approval request at its time',
  method: 'POST',
  path,
  body: jsonBody(dueRequest),
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access,
  attempts: 3,
  async handle(context, { body: { place: about, ...task } }) {
    const request = await context.tx.get(approvalRequests[about.kind], { ...about, id: task.id })
    if (request && isOpen(request)) await applyRequest(context, request, undefined, task.takes)
    else context.tx.finish(dueRequestTasks[about.kind], about, task)
  },
})

/** Notes that a request could not be applied at its time: it can only be deleted then (D31). */
export const failDueRequest = operation({
  id: 'failScheduledApprovalRequest',
  summary: 'Note why an approval request could not be applied at its time',
  method: 'POST',
  path,
  body: jsonBody(v.object({ ...dueRequest.entries, reason: v.string() })),
  success: { status: 204 },
  errors: [],
  access,
  attempts: 3,
  async handle(context, { body: { place: about, reason, ...task } }) {
    const { tx } = context
    const request = await tx.get(approvalRequests[about.kind], { ...about, id: task.id })
    tx.finish(dueRequestTasks[about.kind], about, task)
    if (!request || !isOpen(request)) return
    tx.follow(approvalRequests[about.kind], keysOf(request), request, { ...request, status: 'failed', failure: reason })
    context.remark(`The approval request could not be applied at its time: ${reason}`)
  },
})
