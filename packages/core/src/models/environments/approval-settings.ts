import type { ApprovalRule, ReviewRule } from '../../rules/approval/guard.ts'
import { stricterReviews } from '../../rules/approval/guard.ts'

export interface ApprovalSettings extends ApprovalRule, ReviewRule {
  readonly bypassApprovalsForPendingChanges: boolean
  readonly serviceKind: string
  readonly serviceConfig: Readonly<Record<string, unknown>>
  readonly autoApplyApprovedChanges: boolean
  readonly serviceKindConfigurationId: string
}

export interface ResourceApprovalSettings {
  readonly segment?: ApprovalSettings
  readonly aiconfig?: ApprovalSettings
}

/** What an environment says of approvals. */
interface ApprovalsOfEnvironment {
  readonly approvalSettings: ApprovalSettings
  readonly resourceApprovalSettings?: ResourceApprovalSettings
}

/** The kinds of things that an environment can want approval for. */
export const settingKinds = ['flag', 'segment', 'aiconfig'] as const

export type SettingKind = (typeof settingKinds)[number]

/** What an environment says itself about things of a kind; undefined where it says nothing. */
export function ownSettings(environment: ApprovalsOfEnvironment, kind: SettingKind): ApprovalSettings | undefined {
  return kind === 'flag' ? environment.approvalSettings : environment.resourceApprovalSettings?.[kind]
}

/**
 * What holds for approval requests about things of a kind.
 *
 * Segments decide what flags serve, so where flags need approval a segment never takes less than they do.
 */
export function settingsFor(environment: ApprovalsOfEnvironment, kind: SettingKind): ApprovalSettings {
  const own = ownSettings(environment, kind)
  if (!own?.required) return environment.approvalSettings
  return environment.approvalSettings.required ? stricterReviews(own, environment.approvalSettings) : own
}

/** The same environment, saying something else about things of a kind. */
export function withSettings<E extends ApprovalsOfEnvironment>(
  environment: E,
  kind: SettingKind,
  settings: ApprovalSettings,
): E {
  if (kind === 'flag') return { ...environment, approvalSettings: settings }
  const { resourceApprovalSettings } = environment
  return { ...environment, resourceApprovalSettings: { ...resourceApprovalSettings, [kind]: settings } }
}
