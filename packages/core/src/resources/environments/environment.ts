import type { Host } from '../../operation/context.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/unit-of-work.ts'

/** An environment of a project, with the keys by which SDKs name it. */
export interface Environment extends Versioned {
  /** 24 hex digits; also the client-side id. */
  readonly id: string
  readonly key: string
  readonly name: string
  /** Secret of server-side SDKs. */
  readonly apiKey: string
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
  readonly approvalSettings: ApprovalSettings
  readonly createdAt: number
}

export interface ApprovalSettings {
  readonly required: boolean
  readonly bypassApprovalsForPendingChanges: boolean
  readonly minNumApprovals: number
  readonly canReviewOwnRequest: boolean
  readonly canApplyDeclinedChanges: boolean
  readonly serviceKind: string
  readonly serviceConfig: Readonly<Record<string, unknown>>
  readonly requiredApprovalTags: readonly string[]
  readonly autoApplyApprovedChanges: boolean
  readonly serviceKindConfigurationId: string
}

export const environments = documents<Environment>()({
  name: 'environment',
  address: 'proj/{projectKey}:env/{environmentKey}',
  fields: ({ id, name, tags, createdAt, critical }) => ({ id, name, tags, createdAt, critical }),
  attributes: ({ tags, critical }) => ({ tags, properties: { critical } }),
  secrets: ['apiKey', 'mobileKey'],
  changes: {
    id: null,
    key: null,
    name: 'updateName',
    apiKey: 'updateApiKey',
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
  'id' | 'version' | 'apiKey' | 'mobileKey' | 'approvalSettings' | 'createdAt'
>

/** Adds an environment with fresh keys, which is then found by its id as well. */
export function insertEnvironment(
  { tx, host, now }: { readonly tx: Writer; readonly host: Host; readonly now: number },
  projectKey: string,
  settings: EnvironmentSettings,
  taken?: () => never,
): Environment {
  const keys = { projectKey, environmentKey: settings.key }
  const environment = tx.insert(environments, keys, newEnvironment(host, now, settings), taken)
  tx.ensure(environmentIds, { projectKey, environmentId: environment.id }, { environmentKey: settings.key })
  return environment
}

function newEnvironment(host: Host, now: number, settings: EnvironmentSettings): Omit<Environment, 'version'> {
  return {
    ...settings,
    id: host.randomHex(12),
    apiKey: newSdkKey(host),
    mobileKey: newMobileKey(host),
    approvalSettings: defaultApprovalSettings,
    createdAt: now,
  }
}

export function newSdkKey(host: Host): string {
  return `sdk-${host.randomHex(20)}`
}

export function newMobileKey(host: Host): string {
  return `mob-${host.randomHex(20)}`
}
