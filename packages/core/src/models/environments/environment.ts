import type { Host } from '../../operation/context.ts'
import { documents, type SecretMaker, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { ApprovalSettings, ResourceApprovalSettings } from './approval-settings.ts'
import { settingsFor } from './approval-settings.ts'

/** An environment of a project, with the keys by which SDKs name it. */
export interface Environment extends Versioned {
  /** 24 hex digits; also the client-side id. */
  readonly id: string
  readonly key: string
  readonly name: string
  /** Secret of server-side SDKs. */
  readonly apiKey: string
  /** The SDK key that this one took the place of, which works as well until a time, integer ms. */
  readonly retiredApiKey?: { readonly value: string; readonly until: number }
  /** Secret of mobile SDKs. */
  readonly mobileKey: string
  /** Six hex digits. */
  readonly color: string
  /** Minutes that an SDK may keep what it was told. */
  readonly defaultTtl: number
  readonly secureMode: boolean
  readonly defaultTrackEvents: boolean
  readonly requireComments: boolean
  readonly confirmChanges: boolean
  readonly tags: readonly string[]
  readonly critical: boolean
  /** For flags. */
  readonly approvalSettings: ApprovalSettings
  /** For things of other kinds. */
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
  }),
  attributes: ({ tags, critical }) => ({ tags, properties: { critical } }),
  secrets: ['apiKey', 'retiredApiKey', 'mobileKey'],
  withoutSecrets: {
    renewed: (rest, _lost, fresh) => ({ ...rest, apiKey: newSdkKey(fresh), mobileKey: newMobileKey(fresh) }),
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

/** Which key an environment of a project has that is named by its id. */
export interface EnvironmentId extends Versioned {
  readonly environmentKey: string
}

export const environmentIds = documents<EnvironmentId>()({
  name: 'environment-id',
  address: 'proj/{projectKey}:environment-id/{environmentId}',
})

export const defaultApprovalSettings: ApprovalSettings = {
  required: false,
  bypassApprovalsForPendingChanges: false,
  minNumApprovals: 1,
  canReviewOwnRequest: false,
  canApplyDeclinedChanges: true,
  serviceKind: 'halyard',
  serviceConfig: {},
  requiredApprovalTags: [],
  autoApplyApprovedChanges: false,
  serviceKindConfigurationId: '',
}

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

/** Adds an environment with fresh keys, which is then found by its id as well. */
export function insertEnvironment(
  { tx, host, now }: { readonly tx: Writer; readonly host: Host; readonly now: number },
  projectKey: string,
  settings: EnvironmentSettings,
): Environment {
  const keys = { projectKey, environmentKey: settings.key }
  const environment = tx.insert(environments, keys, newEnvironment(host, now, settings))
  placeEnvironment(tx, projectKey, environment)
  return environment
}

/** Lets a new environment be found by its id. */
export function placeEnvironment(tx: Writer, projectKey: string, { id, key }: Environment): void {
  tx.ensure(environmentIds, { projectKey, environmentId: id }, { environmentKey: key })
}

/** A new environment with fresh keys. */
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

/**
 * An environment with a fresh SDK key.
 *
 * @param until how long the old key works as well, integer ms; not at all where that is over, or undefined. A key that was
 *   retired before ends now: there is one beside the present one.
 */
export function withFreshSdkKey(
  before: Environment,
  host: SecretMaker,
  now: number,
  until: number | undefined,
): Environment {
  const retiredApiKey = until !== undefined && until > now ? { value: before.apiKey, until } : undefined
  return { ...before, apiKey: newSdkKey(host), retiredApiKey }
}

/** The SDK keys that work at a time, integer ms; the present one first. */
export function sdkKeysAt({ apiKey, retiredApiKey }: Environment, now: number): string[] {
  return retiredApiKey && now < retiredApiKey.until ? [apiKey, retiredApiKey.value] : [apiKey]
}
