import { createTestEngine, type TestEngine, type TestEngineInput } from '@halyard/testing'
import type { Statement } from '../../../entries/policy.ts'
import { fetchSender, type Send } from '../../../entries/webhooks.ts'
import type { Receiver } from './receiver.ts'

export const second = 1_000

export const minute = 60 * second

export const hour = 60 * minute

export const day = 24 * hour

export const send: Send = fetchSender({ allowPrivate: true })

export const engineWithSender = (input: TestEngineInput = {}) => createTestEngine({ webhooks: { send }, ...input })

export async function webhookTo({ api, admin }: TestEngine, { url }: Pick<Receiver, 'url'>, overrides: object = {}) {
  return (await api.createWebhook({ body: { url, on: true, sign: true, ...overrides } }, { as: admin }))._id
}

export const replaceOperation = (path: string, value: unknown) => [{ op: 'replace', path, value }] as never

export const rename = ({ api, admin }: TestEngine, projectKey: string, name: string) =>
  api.patchProject({ projectKey, body: replaceOperation('/name', name) }, { as: admin })

export const patch = ({ api, admin }: TestEngine, id: string, path: string, value: unknown) =>
  api.patchWebhook({ id, body: replaceOperation(path, value) }, { as: admin })

export const attemptsOf = async ({ api, admin }: TestEngine, id: string, filters: object = {}) =>
  (await api.listWebhookDeliveries({ id, limit: 100, ...filters }, { as: admin })).items

export const newestEntry = async ({ api, admin }: TestEngine) =>
  (await api.listChangeLog({ limit: 1 }, { as: admin })).items[0]

export const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))

export const deliveredNames = (receiver: Receiver) => bodies(receiver).map(({ name }) => name)

export const allow = (resource: string, actions: string[] = ['*']): Statement[] => [
  { effect: 'allow', resources: [resource], actions },
]
