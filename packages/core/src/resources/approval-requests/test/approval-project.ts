import type { As } from '../../../index.ts'
import { allow, flagProject } from '../../flags/test/flag-project.ts'

export { allow, failureOf, faultOf, semantic, start, turns } from '../../flags/test/flag-project.ts'

export const turnOn = { kind: 'turnFlagOn' }

/** Keys of the environment of the flags and segments in these tests. */
export const place = { projectKey: 'web', environmentKey: 'production' }

export const flagId = (key: string) => `proj/web:env/production:flag/${key}`
export const segmentId = (key: string) => `proj/web:env/production:segment/${key}`

/** Returns a member who may do everything. */
export const person = (memberId: string): As => ({ role: 'admin', memberId })

/** Creates the project of the flag tests, with functions that create, review and apply requests. */
export async function approvalProject() {
  const project = await flagProject()
  const { api, as } = project

  /** Changes the approval settings of production, for flags unless another kind is given. */
  const settings = (given: object) =>
    api.patchApprovalRequestSettings(
      { projectKey: 'web', body: { environmentKey: 'production', ...given } as never },
      { as },
    )

  const request = (resourceId: string, instructions: readonly object[] = [turnOn], more: object = {}, by: As = as) =>
    api.createApprovalRequest(
      { body: { resourceId, description: 'Launch it', instructions, ...more } as never },
      { as: by },
    )

  const review = (id: string, kind: string, by: As = person('bob'), comment?: string) =>
    api.reviewApprovalRequest(
      { id, body: { kind, ...(comment === undefined ? {} : { comment }) } as never },
      { as: by },
    )

  const apply = (id: string, comment?: string, by: As = as) =>
    api.applyApprovalRequest({ id, body: comment === undefined ? {} : { comment } }, { as: by })

  return {
    ...project,
    settings,
    request,
    review,
    apply,
    /** Requests a change, approves it and applies it. */
    async change(resourceId: string, instructions: readonly object[]) {
      const { _id } = await request(resourceId, instructions)
      await review(_id, 'approve')
      return apply(_id)
    },
    find: (id: string, query: object = {}, by: As = as) => api.getApprovalRequest({ id, ...query }, { as: by }),
    edit: (id: string, instructions: readonly object[], by: As = as) =>
      api.patchApprovalRequest({ id, body: { instructions } as never }, { as: by }),
    remove: (id: string, by: As = as) => api.deleteApprovalRequest({ id }, { as: by }),
    isOn: async (key: string, environmentKey = 'production') =>
      (await project.get(key)).environments?.[environmentKey]?.on,
    patchSegment: (segmentKey: string, instructions: readonly object[], query: object = {}, by: As = as) =>
      api.patchSegment(
        { ...place, segmentKey, ...query, body: { environmentKey: 'production', instructions } as never },
        { as: by },
      ),
    /** Adds a rule about a segment to a flag. */
    async target(flagKey: string, segmentKey: string) {
      const [variation] = (await project.get(flagKey)).variations
      const clauses = [{ attribute: '', op: 'segmentMatch', values: [segmentKey], negate: false }]
      await project.instruct(flagKey, [{ kind: 'addRule', clauses, variationId: variation?._id }])
    },
  }
}

export type ApprovalProject = Awaited<ReturnType<typeof approvalProject>>

/** Returns a caller who may view the project and perform these actions on the flag `f` in production. */
export const permitted = (...actions: string[]): As => ({
  policy: [allow(['viewProject'], ['proj/web']), allow(actions, [flagId('f')])],
  name: actions.join(),
  memberId: 'cleo',
})
