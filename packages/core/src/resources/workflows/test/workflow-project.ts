import type { As } from '../../../index.ts'
import { approvalProject, person } from '../../approval-requests/test/approval-project.ts'

export { allow, failureOf, person, start, turnOn } from '../../approval-requests/test/approval-project.ts'

export const minute = 60_000
export const hour = 60 * minute

export const turnOff = { kind: 'turnFlagOff' }

/** The flag of the workflows in these tests. */
export const flagKeys = { projectKey: 'web', flagKey: 'checkout', environmentKey: 'production' }

/** A condition that waits a number of minutes. */
export const wait = (waitDuration: number) => ({ kind: 'schedule', waitDuration, waitDurationUnit: 'calendarMinute' })

export const approval = { kind: 'ld-approval', notifyMemberIds: [], notifyTeamKeys: [] }

/** Makes a stage with one instruction. */
export const stage = (conditions: readonly object[], instruction: object, more: object = {}) => ({
  conditions,
  action: { instructions: [instruction] },
  ...more,
})

/**
 * Makes the project of the approval tests with the flag `checkout`, which is off, and functions about its workflows.
 */
export async function workflowProject() {
  const project = await approvalProject()
  const { api, as, engine } = project
  await project.create('checkout')
  return {
    ...project,
    post: (stages: readonly object[], overrides: object = {}, caller: As = as, query: object = {}) =>
      api.postWorkflow(
        { ...flagKeys, ...query, body: { name: 'Launch', stages, ...overrides } as never },
        { as: caller },
      ),
    load: (workflowId: string) => api.getCustomWorkflow({ ...flagKeys, workflowId }, { as }),
    list: async (query: object = {}) => (await api.getWorkflows({ ...flagKeys, ...query }, { as })).items,
    deleteWorkflow: (workflowId: string, caller: As = as) =>
      api.deleteWorkflow({ ...flagKeys, workflowId }, { as: caller }),
    isCheckoutOn: () => project.isOn('checkout'),
    /** Runs tasks until none is due. Returns the numbers of tasks that succeeded and failed. */
    async run() {
      let [done, failed] = [0, 0]
      for (;;) {
        const report = await engine.runDueTasks()
        if (report.delivered + report.failed === 0) return { done, failed }
        done += report.delivered
        failed += report.failed
      }
    },
    /** Returns the open approval requests of the flag. */
    async openRequests() {
      const { items } = await api.listApprovalRequestsForFlag(flagKeys, { as })
      return items.filter(({ status }) => status === 'pending')
    },
    /** Approves all open requests as another person. */
    async approveAll(memberId = 'bob') {
      const { items } = await api.listApprovalRequestsForFlag(flagKeys, { as })
      for (const { _id, status } of items) {
        if (status === 'pending') await project.review(_id, 'approve', person(memberId))
      }
    },
    /** Returns the descriptions of the change log, newest first. */
    descriptions: async () => (await api.listChangeLog({}, { as })).items.map(({ description }) => description),
  }
}

/** Returns the statuses of the stages of a workflow. */
export function statusesOf({
  stages,
}: {
  readonly stages: readonly { readonly _execution: { readonly status: string } }[]
}) {
  return stages.map(({ _execution }) => _execution.status)
}
