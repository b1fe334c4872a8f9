import type { TestEngineInput } from '@halyard/testing'
import type { As } from '../../../index.ts'
import { openReceiver } from '../../webhooks/test/receiver.ts'
import { allow, bodies, engineWithSender, webhookTo } from '../../webhooks/test/webhook-calls.ts'

export const production = { projectKey: 'web', environmentKey: 'production' } as const
export const checkout = { ...production, flagKey: 'checkout' } as const

/** Creates a project with the flags `checkout` and `search`, and members, and functions that follow flags. */
export async function followedProject(input: TestEngineInput = {}) {
  const engine = await engineWithSender(input)
  const { api, admin: as } = engine
  await engine.given.project('web')
  for (const flagKey of ['checkout', 'search']) await engine.given.flag('web', flagKey)
  const body = [
    { email: 'ann@example.com', firstName: 'Ann', lastName: 'Smith' },
    { email: 'bob@example.com', firstName: 'Bob' },
    { email: 'cid@example.com' },
  ]
  const { items } = await api.createMembers({ body }, { as })
  const [ann = '', bob = '', cid = ''] = items.map(({ _id }) => _id)
  const reader = (memberId: string) => ({ role: 'reader', memberId }) as const
  return {
    engine,
    api,
    as,
    ann,
    bob,
    cid,
    reader,
    pass: (ms: number) => engine.advance(ms),
    follow: (memberId: string, keys: object = {}, caller: As = as) =>
      api.putFlagFollower({ ...checkout, ...keys, memberId }, { as: caller }),
    leave: (memberId: string, keys: object = {}, caller: As = as) =>
      api.deleteFlagFollower({ ...checkout, ...keys, memberId }, { as: caller }),
    /** Returns the ids of the followers of a flag. */
    followers: async (keys: object = {}) =>
      (await api.getFlagFollowers({ ...checkout, ...keys }, { as })).items.map(({ _id }) => _id),
    /** Returns the flags that are followed in an environment, each with the number of its followers. */
    followed: async (query: object = {}) =>
      (await api.getFollowersByProjEnv({ ...production, ...query }, { as })).items.map(
        ({ flagKey, followers }) => [flagKey, followers.length] as const,
      ),
    newest: async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0],
    /**
     * Returns the bodies that a webhook with these properties received for the changes of a call, without earlier ones.
     */
    async received(properties: object, change: () => Promise<unknown>, query = '') {
      const receiver = await openReceiver()
      const id = await webhookTo(
        engine,
        { url: receiver.url + query },
        { statements: allow('proj/*:env/*:flag/*'), ...properties },
      )
      await change()
      await engine.runDueTasks()
      await api.deleteWebhook({ id }, { as })
      return bodies(receiver)
    },
    turnOn: (keys: object = {}, environmentKey = 'production') =>
      api.patchFlag(
        {
          projectKey: 'web',
          flagKey: 'checkout',
          ...keys,
          body: { environmentKey, instructions: [{ kind: 'turnFlagOn' }] } as never,
        },
        { as },
      ),
    rename: (name: string) =>
      api.patchFlag(
        { projectKey: 'web', flagKey: 'checkout', body: [{ op: 'replace', path: '/name', value: name }] as never },
        { as },
      ),
  }
}
