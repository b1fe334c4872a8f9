import { createTestEngine, type TestEngine } from '@halyard/testing'
import type { Send, SendOutcome, WebhookMessage } from '../../../entries/webhooks.ts'
import type { As } from '../../../index.ts'

/** Duration in milliseconds. */
export const minute = 60_000

/** Media type of requests. */
export const json = 'application/json'

/** URL of the webhook. */
export const url = 'https://chat.example.com/hook'

/** Makes an engine whose messages are recorded, with outcomes that the test sets in `next`. */
export async function engineWithRecordedMessages() {
  const recorder: { readonly sent: WebhookMessage[]; next: SendOutcome } = {
    sent: [],
    next: { outcome: 'answered', status: 200, body: 'thanks', ms: 12 },
  }
  const send: Send = async (message) => {
    recorder.sent.push(message)
    return recorder.next
  }
  const engine = await createTestEngine({ webhooks: { send } })
  const { _id: id } = await engine.api.createWebhook(
    { body: { url, on: true, sign: true, name: 'Chat' } },
    { as: engine.admin },
  )
  return { engine, post: recorder, id, as: { as: engine.admin } }
}

/** Returns a caller who may perform these actions on webhooks. */
export const callerWith = (...actions: string[]): As => ({
  policy: [{ effect: 'allow', resources: ['webhook/*'], actions }],
})

/** Turns a webhook off. */
export const turnOff = ({ api, admin }: TestEngine, id: string) =>
  api.patchWebhook({ id, body: [{ op: 'replace', path: '/on', value: false }] }, { as: admin })

/** Outcome of a message that reached no receiver. */
export const failedOutcome: SendOutcome = { outcome: 'failed', reason: 'No connection.' }
