import type { Fail } from '../../operation/errors.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { switchSentence } from '../../rules/sentences/sentence.ts'
import type { WebhookFormat } from '../../rules/webhook-format/format-message.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** A subscription: the changes that its statements select are sent to its URL. */
export interface Webhook extends Versioned {
  readonly id: string
  readonly name: string
  readonly url: string
  /** Format of its messages; undefined for entries of the change log. */
  readonly format?: WebhookFormat
  readonly on: boolean
  readonly tags: readonly string[]
  /** Statements that select the changes; all changes when there are none. */
  readonly statements: readonly Statement[]
  /** Secret that signs its deliveries; undefined when they are not signed. */
  readonly secret?: string
  /** The previous secret, and the time until which it signs in addition to the current secret, integer ms. */
  readonly retiredSecret?: { readonly value: string; readonly until: number }
  /** Reason why the engine turned the webhook off, as a sentence. */
  readonly disabledReason?: string
  readonly createdAt: number
}

export const webhooks = documents<Webhook>()({
  name: 'webhook',
  address: 'webhook/{id}',
  fields: ({ on, createdAt }) => ({ on, createdAt }),
  secrets: ['secret', 'retiredSecret'],
  withoutSecrets: { renewed: (body, _lost, { randomHex }) => ({ ...body, secret: randomHex(32) }) },
  shown: { id: '_id', disabledReason: null, createdAt: null },
  sentences: {
    changed: {
      on: switchSentence(
        'on',
        ({ it, noun }) => `turned on the ${noun} ${it}`,
        ({ it, noun }) => `turned off the ${noun} ${it}`,
      ),
      url: 'URL',
    },
  },
  changes: {
    id: null,
    name: 'updateName',
    url: 'updateUrl',
    format: 'updateUrl',
    on: 'updateOn',
    tags: 'updateTags',
    statements: 'updateStatements',
    secret: 'updateSecret',
    retiredSecret: null,
    disabledReason: null,
    createdAt: null,
  },
})

/** Time for which a replaced secret continues to sign, in ms. */
const retirementMs = 24 * 60 * 60 * 1000

/** Returns the replaced secret, which signs in addition to the current one for a day. */
export function retiredSecret(before: Webhook, secret: string | undefined, now: number): Webhook['retiredSecret'] {
  if (secret === undefined) return undefined
  if (secret === before.secret || before.secret === undefined) return before.retiredSecret
  return { value: before.secret, until: now + retirementMs }
}

/** Returns the secrets that sign messages now, the current one first; an empty list when the webhook does not sign. */
export function signingSecrets({ secret, retiredSecret }: Webhook, now: number): string[] {
  if (secret === undefined) return []
  return retiredSecret && now < retiredSecret.until ? [secret, retiredSecret.value] : [secret]
}

/** Fails unless the webhook is on, because deliveries of a webhook that is off are dropped. */
export function requireOn({ on }: Webhook, fail: Fail<'invalid_request'>): void {
  if (on) return
  fail('invalid_request', {
    errors: [{ attribute: 'on', reason: 'must be true, because a webhook that is off receives nothing' }],
  })
}
