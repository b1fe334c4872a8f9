import { switchSentence } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import type { DestinationKind } from './destination-kinds.ts'

/** The target of the data exports of an environment. */
export interface Destination extends Versioned {
  readonly id: string
  readonly projectKey: string
  readonly environmentKey: string
  readonly name: string
  readonly kind: DestinationKind
  readonly on: boolean
  /** Configuration for the kind of the destination, with `masked` in place of secrets. */
  readonly config: Readonly<Record<string, string>>
  /** The secret properties of `config`, in plain text. */
  readonly credentials: Readonly<Record<string, string>>
  /** Reason why the engine turned the destination off, as a sentence. */
  readonly disabledReason?: string
  readonly createdAt: number
}

export const destinations = documents<Destination>()({
  name: 'destination',
  address: 'proj/{projectKey}:env/{environmentKey}:destination/{id}',
  fields: ({ projectKey, createdAt }) => ({ projectKey, createdAt }),
  secrets: ['credentials'],
  withoutSecrets: { missing: (body) => ({ ...body, credentials: {}, on: false }) },
  shown: { id: '_id', projectKey: null, environmentKey: null, disabledReason: null, createdAt: shownTime('createdAt') },
  sentences: {
    changed: {
      on: switchSentence(
        'on',
        ({ it, noun }) => `turned on the ${noun} ${it}`,
        ({ it, noun }) => `turned off the ${noun} ${it}`,
      ),
      config: 'configuration',
      credentials: 'secrets',
    },
  },
  changes: {
    id: null,
    projectKey: null,
    environmentKey: null,
    name: 'updateName',
    kind: null,
    on: 'updateOn',
    config: 'updateConfiguration',
    credentials: 'updateConfiguration',
    disabledReason: null,
    createdAt: null,
  },
})
