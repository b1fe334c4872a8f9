import type { As } from '../../../index.ts'
import { allow, flagProject } from '../../flags/test/flag-project.ts'

export {
  allow,
  awaitTurns,
  failureOf,
  semanticPatchType,
  start,
  validationErrorOf,
} from '../../flags/test/flag-project.ts'

export const turnOn = { kind: 'turnFlagOn' }

/** Keys of the environment of the flags and segments in these tests. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

export const flagId = (key: string) => `proj/web:env/production:flag/${key}`
export const segmentId = (key: string) => `proj/web:env/production:segment/${key}`

/** Returns a member who may do everything. */
export const person = (memberId: string): As => ({ role: 'admin', memberId })

/** Creates the project of the flag tests, with functions that create, review and apply requests. */
export async function approvalProject() {
  const project = await flagProject()
  const { api, as } = project

  /** Changes the approval settings of production, for flags unless `changes` names another kind. */
  const settings = (changes: object) =>
    api.patchApprovalRequestSettings(
      { projectKey: 'web', body: { environmentKey: 'production', ...changes } as never },
      { as },
    )

  const request = (
    resourceId: string,
    instructions: readonly object[] = [turnOn],
    overrides: object = {},
    caller: As = as,
  ) =>
    api.createApprovalRequest(
      { body: { resourceId, description: 'Launch it', instructions, ...overrides } as never },
      { as: caller },
    )

  const review = (id: string, kind: string, caller: As = person('bob'), comment?: string) =>
    api.reviewApprovalRequest(
      { id, body: { kind, ...(comment === undefined ? {} : { comment }) } as never },
      { as: caller },
    )

  const apply = (id: string, comment?: string, caller: As = as) =>
    api.applyApprovalRequest({ id, body: comment === undefined ? {} : { comment } }, { as: caller })

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
    find: (id: string, query: object = {}, caller: As = as) => api.getApprovalRequest({ id, ...query }, { as: caller }),
    edit: (id: string, instructions: readonly object[], caller: As = as) =>
      api.patchApprovalRequest({ id, body: { instructions } as never }, { as: caller }),
    remove: (id: string, caller: As = as) => api.deleteApprovalRequest({ id }, { as: caller }),
    isOn: async (key: string, environmentKey = 'production') =>
      (await project.get(key)).environments?.[environmentKey]?.on,
    patchSegment: (segmentKey: string, instructions: readonly object[], query: object = {}, caller: As = as) =>
      api.patchSegment(
        { ...environmentKeys, segmentKey, ...query, body: { environmentKey: 'production', instructions } as never },
        { as: caller },
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
