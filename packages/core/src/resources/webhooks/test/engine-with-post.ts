import { createTestEngine, type TestEngine } from '@halyard/testing'
import type { Send, SendOutcome, WebhookMessage } from '../../../entries/webhooks.ts'
import type { As } from '../../../index.ts'

/** In milliseconds. */
export const minute = 60_000

/** The content type of calls. */
export const json = 'application/json'

/** Where messages go. */
export const url = 'https://chat.example.com/hook'

/** An engine whose messages go to a list, and are answered as `next` says. */
export async function engineWithPost() {
  const post: { readonly sent: WebhookMessage[]; next: SendOutcome } = {
    sent: [],
    next: { outcome: 'answered', status: 200, body: 'thanks', ms: 12 },
  }
  const send: Send = async (message) => {
    post.sent.push(message)
    return post.next
  }
  const engine = await createTestEngine({ webhooks: { send } })
  const { _id: id } = await engine.api.createWebhook(
    { body: { url, on: true, sign: true, name: 'Chat' } },
    { as: engine.admin },
  )
  return { engine, post, id, as: { as: engine.admin } }
}

/** Whoever may do these things to webhooks. */
export const may = (...actions: string[]): As => ({ policy: [{ effect: 'allow', resources: ['webhook/*'], actions }] })

/** Turns a webhook off. */
export const turnOff = ({ api, admin }: TestEngine, id: string) =>
  api.patchWebhook({ id, body: [{ op: 'replace', path: '/on', value: false }] }, { as: admin })

/** What a sender tells that reached nobody. */
export const failed: SendOutcome = { outcome: 'failed', reason: 'No connection.' }
