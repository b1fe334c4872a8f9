import { documents, type Keys, type SecretMaker, shownTime, type Versioned } from '../../storage/collection.ts'
import { newMobileKey, newSdkKey } from '../environments/environment.ts'

/** Kinds of SDK keys: of server-side SDKs, and of SDKs in mobile apps. */
export const sdkKeyKinds = ['sdk', 'mobile'] as const

export type SdkKeyKind = (typeof sdkKeyKinds)[number]

/** A key by which SDKs connect to an environment, in addition to the default keys that the environment contains. */
export interface SdkKey extends Versioned {
  /** Identifies the SDK key among those of its environment. It is not a secret. */
  readonly key: string
  readonly kind: SdkKeyKind
  readonly name: string
  readonly description: string
  /** The secret that SDKs send; undefined in a past engine (`engine.at`) when the key was deleted since. */
  readonly value?: string
  /** Time from which SDKs are rejected, integer ms, UTC. Default: never. */
  readonly expiry?: number
  /** The member who created it; undefined when the host did. */
  readonly createdByMemberId?: string
  /** Integer ms, UTC. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Expiry in the row of an SDK key that never expires, so that lists can compare all keys. */
const never = Number.MAX_SAFE_INTEGER

const address = 'proj/{projectKey}:env/{environmentKey}:sdk-key/{sdkKeyKey}'

export const sdkKeyDocuments = documents<SdkKey>()({
  name: 'sdk-key',
  noun: 'SDK key',
  address,
  fields: ({ kind, expiry = never, createdAt }) => ({ kind, expiry, createdAt }),
  secrets: ['value'],
  withoutSecrets: { renewed: (rest, _lost, fresh) => ({ ...rest, value: newKeyValue(rest.kind, fresh) }) },
  shown: {
    expiry: shownTime('expiry'),
    createdByMemberId: '_createdByMemberId',
    createdAt: shownTime('_createdAt'),
    updatedAt: shownTime('_updatedAt'),
  },
  changes: {
    key: null,
    kind: null,
    name: 'updateSdkKey',
    description: 'updateSdkKey',
    value: null,
    expiry: 'updateSdkKey',
    createdByMemberId: null,
    createdAt: null,
    updatedAt: null,
  },
})

export type SdkKeyKeys = Keys<typeof address>

/** Returns a new secret for an SDK key. */
export function newKeyValue(kind: SdkKeyKind, host: SecretMaker): string {
  return kind === 'mobile' ? newMobileKey(host) : newSdkKey(host)
}
