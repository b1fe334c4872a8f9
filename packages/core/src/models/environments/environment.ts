import type { Host } from '../../operation/context.ts'
import { switchSentence } from '../../rules/sentences/sentence.ts'
import { documents, type SecretMaker, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import {
  type ApprovalSettings,
  defaultApprovalSettings,
  type ResourceApprovalSettings,
  settingsFor,
} from './approval-settings.ts'

/** An environment of a project, with the keys that SDKs use to connect to it. */
export interface Environment extends Versioned {
  /** Id of 24 hex digits, which is also the client-side id. */
  readonly id: string
  readonly key: string
  readonly name: string
  /** Secret key of server-side SDKs. */
  readonly apiKey: string
  /** The previous SDK key, and the time until which it remains valid, integer ms. */
  readonly retiredApiKey?: { readonly value: string; readonly until: number }
  /** Secret key of mobile SDKs. */
  readonly mobileKey: string
  /** Six hex digits. */
  readonly color: string
  /** Time in minutes for which HTTP clients of SDKs can use a polled response. */
  readonly defaultTtl: number
  readonly secureMode: boolean
  readonly defaultTrackEvents: boolean
  readonly requireComments: boolean
  readonly confirmChanges: boolean
  readonly tags: readonly string[]
  readonly critical: boolean
  /** Approval settings for flags. */
  readonly approvalSettings: ApprovalSettings
  /** Approval settings for other kinds of resources. */
  readonly resourceApprovalSettings?: ResourceApprovalSettings
  readonly createdAt: number
}

export const environments = documents<Environment>()({
  name: 'environment',
  noun: 'environment',
  address: 'proj/{projectKey}:env/{environmentKey}',
  fields: (environment) => ({
    id: environment.id,
    name: environment.name,
    tags: environment.tags,
    createdAt: environment.createdAt,
    critical: environment.critical,
    flagApprovals: settingsFor(environment, 'flag').minNumApprovals,
    segmentApprovals: settingsFor(environment, 'segment').minNumApprovals,
    aiConfigApprovals: settingsFor(environment, 'aiconfig').minNumApprovals,
  }),
  attributes: ({ tags, critical }) => ({ tags, properties: { critical } }),
  secrets: ['apiKey', 'retiredApiKey', 'mobileKey'],
  withoutSecrets: {
    renewed: (rest, _lost, fresh) => ({ ...rest, apiKey: newSdkKey(fresh), mobileKey: newMobileKey(fresh) }),
  },
  shown: { id: '_id', createdAt: null },
  sentences: {
    changed: {
      apiKey: 'SDK key',
      mobileKey: 'mobile key',
      defaultTtl: 'default TTL',
      defaultTrackEvents: 'default event tracking',
      requireComments: switchSentence(
        'requireComments',
        ({ it }) => `made comments on changes required in ${it}`,
        ({ it }) => `made comments on changes optional in ${it}`,
      ),
      confirmChanges: switchSentence(
        'confirmChanges',
        ({ it }) => `made the confirmation of changes required in ${it}`,
        ({ it }) => `made the confirmation of changes optional in ${it}`,
      ),
      critical: switchSentence(
        'critical',
        ({ it }) => `marked ${it} as critical`,
        ({ it }) => `marked ${it} as not critical`,
      ),
      resourceApprovalSettings: 'approval settings of segments and AI configs',
    },
  },
  changes: {
    id: null,
    key: null,
    name: 'updateName',
    apiKey: 'updateApiKey',
    retiredApiKey: null,
    mobileKey: 'updateMobileKey',
    color: 'updateColor',
    defaultTtl: 'updateTtl',
    secureMode: 'updateSecureMode',
    defaultTrackEvents: 'updateDefaultTrackEvents',
    requireComments: 'updateRequireComments',
    confirmChanges: 'updateConfirmChanges',
    tags: 'updateTags',
    critical: 'updateCritical',
    approvalSettings: 'updateApprovalSettings',
    resourceApprovalSettings: 'updateApprovalSettings',
    createdAt: null,
  },
})

/** Index entry: the key of the environment with a given id. */
export interface EnvironmentId extends Versioned {
  readonly environmentKey: string
}

export const environmentIds = documents<EnvironmentId>()({
  name: 'environment-id',
  recorded: true,
  address: 'proj/{projectKey}:environment-id/{environmentId}',
})

export type EnvironmentSettings = Omit<
  Environment,
  | 'id'
  | 'version'
  | 'apiKey'
  | 'retiredApiKey'
  | 'mobileKey'
  | 'approvalSettings'
  | 'resourceApprovalSettings'
  | 'createdAt'
>

/** Inserts an environment with new keys, and its entry in the index by id. */
export function insertEnvironment(
  { tx, host, now }: { readonly tx: Writer; readonly host: Host; readonly now: number },
  projectKey: string,
  settings: EnvironmentSettings,
): Environment {
  const keys = { projectKey, environmentKey: settings.key }
  const environment = tx.insert(environments, keys, newEnvironment(host, now, settings))
  indexEnvironment(tx, projectKey, environment)
  return environment
}

/** Adds a new environment to the index by id. */
export function indexEnvironment(tx: Writer, projectKey: string, { id, key }: Environment): void {
  tx.ensure(environmentIds, { projectKey, environmentId: id }, { environmentKey: key })
}

/** Returns a new environment with new keys. */
export function newEnvironment(host: Host, now: number, settings: EnvironmentSettings): Omit<Environment, 'version'> {
  return {
    ...settings,
    id: host.randomHex(12),
    apiKey: newSdkKey(host),
    mobileKey: newMobileKey(host),
    approvalSettings: defaultApprovalSettings,
    resourceApprovalSettings: {},
    createdAt: now,
  }
}

export function newSdkKey(host: SecretMaker): string {
  return `sdk-${host.randomHex(20)}`
}

export function newMobileKey(host: SecretMaker): string {
  return `mob-${host.randomHex(20)}`
}

/** The time of a rotation, and the time until which the replaced key is valid. */
export interface KeyRotation {
  readonly now: number
  /**
   * Time until which the old key stays valid, integer ms. Past or undefined: the old key is invalid immediately. A key
   * that was replaced earlier becomes invalid now, because an environment keeps only one previous key.
   */
  readonly until: number | undefined
}

/** Returns the environment with a new SDK key. */
export function withNewSdkKey(before: Environment, host: SecretMaker, { now, until }: KeyRotation): Environment {
  const retiredApiKey = until !== undefined && until > now ? { value: before.apiKey, until } : undefined
  return { ...before, apiKey: newSdkKey(host), retiredApiKey }
}
