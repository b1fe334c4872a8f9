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
  /** Why it was turned off where nobody did so, in one sentence. */
  readonly disabledReason?: string
  readonly createdAt: number
}

export const webhooks = documents<Webhook>()({
  name: 'webhook',
  address: 'webhook/{id}',
  fields: ({ on, createdAt }) => ({ on, createdAt }),
  secrets: ['secret'],
  withoutSecrets: { renewed: (rest, _lost, { randomHex }) => ({ ...rest, secret: randomHex(32) }) },
  changes: {
    id: null,
    name: 'updateName',
    url: 'updateUrl',
    on: 'updateOn',
    tags: 'updateTags',
    statements: 'updateStatements',
    secret: 'updateSecret',
    disabledReason: null,
    createdAt: null,
  },
})
