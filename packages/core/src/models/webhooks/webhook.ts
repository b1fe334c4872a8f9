import type { Fail } from '../../operation/errors.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** A subscription: changes that its statements select are told to its URL. */
export interface Webhook extends Versioned {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly on: boolean
  readonly tags: readonly string[]
  /** Which changes it is told of; every one where there are none. */
  readonly statements: readonly Statement[]
  /** What its deliveries are signed with; undefined where they are not signed. */
  readonly secret?: string
  /** The secret that this one took the place of, which signs as well until a time, integer ms. */
  readonly retiredSecret?: { readonly value: string; readonly until: number }
  /** Why it was turned off where nobody did so, in one sentence. */
  readonly disabledReason?: string
  readonly createdAt: number
}

export const webhooks = documents<Webhook>()({
  name: 'webhook',
  address: 'webhook/{id}',
  fields: ({ on, createdAt }) => ({ on, createdAt }),
  secrets: ['secret', 'retiredSecret'],
  withoutSecrets: { renewed: (rest, _lost, { randomHex }) => ({ ...rest, secret: randomHex(32) }) },
  changes: {
    id: null,
    name: 'updateName',
    url: 'updateUrl',
    on: 'updateOn',
    tags: 'updateTags',
    statements: 'updateStatements',
    secret: 'updateSecret',
    retiredSecret: null,
    disabledReason: null,
    createdAt: null,
  },
})

/** How long a secret signs beside the one that took its place, ms. */
const retirement = 24 * 60 * 60 * 1000

/** The secret that signs beside the present one: the one before, for a day. */
export function retiredSecret(before: Webhook, secret: string | undefined, now: number): Webhook['retiredSecret'] {
  if (secret === undefined) return undefined
  if (secret === before.secret || before.secret === undefined) return before.retiredSecret
  return { value: before.secret, until: now + retirement }
}

/** The secrets that sign now, the present one first; none where the webhook does not sign. */
export function signingSecrets({ secret, retiredSecret }: Webhook, now: number): string[] {
  if (secret === undefined) return []
  return retiredSecret && now < retiredSecret.until ? [secret, retiredSecret.value] : [secret]
}

/** Fails unless the webhook is on: whatever waits for one that is off is dropped. */
export function demandOn({ on }: Webhook, fail: Fail<'invalid_request'>): void {
  if (on) return
  fail('invalid_request', {
    errors: [{ attribute: 'on', reason: 'must be true: a webhook that is off is told nothing' }],
  })
}
