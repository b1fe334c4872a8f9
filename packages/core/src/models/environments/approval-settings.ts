import type { ApprovalRule, ReviewRule } from '../../rules/approval/guard.ts'
import { stricterReviewRule } from '../../rules/approval/guard.ts'

export interface ApprovalSettings extends ApprovalRule, ReviewRule {
  /** True when changes that were scheduled before approval was required are made without one. */
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

/** The approval settings of an environment. */
interface EnvironmentApprovals {
  readonly approvalSettings: ApprovalSettings
  readonly resourceApprovalSettings?: ResourceApprovalSettings
}

/** Kinds of resources for which an environment can require approval. */
export const settingKinds = ['flag', 'segment', 'aiconfig'] as const

export type SettingKind = (typeof settingKinds)[number]

/** Returns the settings that an environment has for one kind of resource; undefined when it has none for the kind. */
export function ownSettings(environment: EnvironmentApprovals, kind: SettingKind): ApprovalSettings | undefined {
  return kind === 'flag' ? environment.approvalSettings : environment.resourceApprovalSettings?.[kind]
}

/**
 * Returns the approval settings that apply to a kind of resource.
 *
 * Segments determine what flags serve, so where flags need approval, the settings for segments are never weaker than
 * those for flags.
 */
export function settingsFor(environment: EnvironmentApprovals, kind: SettingKind): ApprovalSettings {
  const own = ownSettings(environment, kind)
  if (!own?.required) return environment.approvalSettings
  return environment.approvalSettings.required ? stricterReviewRule(own, environment.approvalSettings) : own
}

/** Returns a copy of the environment with other approval settings for one kind of resource. */
export function withSettings<E extends EnvironmentApprovals>(
  environment: E,
  kind: SettingKind,
  settings: ApprovalSettings,
): E {
  if (kind === 'flag') return { ...environment, approvalSettings: settings }
  const { resourceApprovalSettings } = environment
  return { ...environment, resourceApprovalSettings: { ...resourceApprovalSettings, [kind]: settings } }
}
