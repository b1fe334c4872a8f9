import type { As } from '../../../index.ts'
import { environmentKeys, segmentAccount, start } from './segment-account.ts'

/** Duration in milliseconds. */
export const day = 86_400_000

/** Keys of the segment whose targets expire. */
export const keys = { ...environmentKeys, segmentKey: 'beta' }

/** Returns an instruction that makes a target expire after one day. */
export const addInstruction = (overrides: object = {}) => ({
  kind: 'addExpiringTarget',
  targetType: 'included',
  contextKind: 'user',
  contextKey: 'ada',
  value: start + day,
  ...overrides,
})

/** Creates the segment `beta`, with included users, an included organization and an excluded user. */
export async function expiringAccount() {
  const account = await segmentAccount()
  const { api, as } = account
  await account.create('beta')
  await account.patch('beta', [
    { op: 'replace', path: '/included', value: ['ada', 'bob'] },
    { op: 'replace', path: '/excluded', value: ['eve'] },
    { op: 'replace', path: '/includedContexts', value: [{ contextKind: 'org', values: ['acme'] }] },
  ])
  return {
    ...account,
    patchDates: (instructions: readonly object[], overrides: object = {}, caller: As = as) =>
      api.patchExpiringTargetsForSegment({ ...keys, body: { instructions, ...overrides } as never }, { as: caller }),
    patchUserDates: (...instructions: readonly object[]) =>
      api.patchExpiringUserTargetsForSegment({ ...keys, body: { instructions } as never }, { as }),
    dates: () => api.getExpiringTargetsForSegment(keys, { as }),
    userDates: () => api.getExpiringUserTargetsForSegment(keys, { as }),
    stored: async () =>
      (await account.storage.get({ collection: 'segment', scope: 'proj/web:env/production', key: 'beta' }))?.body as {
        included: string[]
        expiringTargets: object[]
        version: number
      },
  }
}
