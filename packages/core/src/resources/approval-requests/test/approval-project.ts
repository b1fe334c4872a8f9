import type { As } from '../../../index.ts'
import { allow, flagProject } from '../../flags/test/flag-project.ts'

export { allow, failureOf, faultOf, semantic, start, turns } from '../../flags/test/flag-project.ts'

export const turnOn = { kind: 'turnFlagOn' }

/** Where the flags and segments of these tests are. */
export const place = { projectKey: 'web', environmentKey: 'production' }

export const flagId = (key: string) => `proj/web:env/production:flag/${key}`
export const segmentId = (key: string) => `proj/web:env/production:segment/${key}`

/** A member who may do everything. */
export const person = (memberId: string): As => ({ role: 'admin', memberId })

/** The project of the flag tests, with short ways to ask for changes and to have them approved. */
export async function approvalProject() {
  const project = await flagProject()
  const { api, as } = project

  /** Changes what production asks for, of flags unless another kind is named. */
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
    /** Asks for a change, has it approved and makes it. */
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
    /** Gives a flag a rule that asks for a segment. */
    async target(flagKey: string, segmentKey: string) {
      const [variation] = (await project.get(flagKey)).variations
      const clauses = [{ attribute: '', op: 'segmentMatch', values: [segmentKey], negate: false }]
      await project.instruct(flagKey, [{ kind: 'addRule', clauses, variationId: variation?._id }])
    },
  }
}

export type ApprovalProject = Awaited<ReturnType<typeof approvalProject>>

/** Whoever may view the project and do these things to the flag `f` in production. */
export const permitted = (...actions: string[]): As => ({
  policy: [allow(['viewProject'], ['proj/web']), allow(actions, [flagId('f')])],
  name: actions.join(),
  memberId: 'cleo',
})
