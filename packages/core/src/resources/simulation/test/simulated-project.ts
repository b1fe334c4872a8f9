import type { As } from '../../../index.ts'
import { approvalProject, turnOn } from '../../approval-requests/test/approval-project.ts'

export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
export const ann = { kind: 'user', key: 'ann', email: 'ann@example.com' }
export const bob = { kind: 'user', key: 'bob', email: 'bob@elsewhere.org' }
export const contexts = [ann, bob]

/**
 * Creates the flag `f`, which is off, the flag `g`, which depends on it, and a webhook for flags that are turned on.
 */
export async function simulatedProject() {
  const project = await approvalProject()
  const { engine, api, as, create, instruct } = project
  const ids = (await create('f')).variations.map(({ _id }) => _id) as [string, string]
  await create('g')
  await instruct('g', [turnOn, { kind: 'addPrerequisite', key: 'f', variationId: ids[0] }])
  const statements = [
    { effect: 'allow' as const, resources: ['proj/*:env/production:flag/f'], actions: ['updateOn'] },
    { effect: 'allow' as const, resources: ['proj/*:env/*:flag/*'], actions: ['updateRules'] },
  ]
  const hook = {
    name: 'Chat',
    url: 'https://chat.example.com:8443/hook?token=geheim',
    statements,
    on: true,
    sign: true,
  }
  const webhook = await api.createWebhook({ body: { ...hook, secret: 'a-secret-that-is-long-enough' } }, { as })
  const simulate = (instructions: readonly object[], overrides: object = {}, caller: As = as) =>
    engine.simulate({ ...environmentKeys, flagKey: 'f', instructions, contexts, ...overrides } as never, { as: caller })
  return { ...project, ids, webhook, statements, simulate }
}
