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

/**
 * Returns the settings that an environment has for one kind of resource; undefined when it has no settings for the
 * kind.
 */
export function ownSettings(environment: EnvironmentApprovals, kind: SettingKind): ApprovalSettings | undefined {
  return kind === 'flag' ? environment.approvalSettings : environment.resourceApprovalSettings?.[kind]
}

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

/**
 * Returns the approval settings that apply to a kind of resource.
 *
 * Segments determine what flags serve. Therefore, when flags need approval, the settings for segments are never weaker
 * than those for flags. AI configs have settings of their own.
 */
export function settingsFor(environment: EnvironmentApprovals, kind: SettingKind): ApprovalSettings {
  const kindSettings = ownSettings(environment, kind)
  if (!kindSettings?.required) return kind === 'aiconfig' ? defaultApprovalSettings : environment.approvalSettings
  const isStricter = kind === 'segment' && environment.approvalSettings.required
  return isStricter ? stricterReviewRule(kindSettings, environment.approvalSettings) : kindSettings
}

/**
 * Returns the settings for a change that concerns a resource in all environments: among the environments that require
 * approval for this kind of resource, the strictest settings apply, even if the resource lacks the tags that they name.
 */
export function settingsForAll(environments: readonly EnvironmentApprovals[], kind: SettingKind): ApprovalSettings {
  const [first = defaultApprovalSettings, ...others] = environments
    .map((environment) => settingsFor(environment, kind))
    .filter(({ required }) => required)
  return others.reduce(
    (strictest, settings) => ({
      ...stricterReviewRule(strictest, settings),
      autoApplyApprovedChanges: strictest.autoApplyApprovedChanges && settings.autoApplyApprovedChanges,
    }),
    first,
  )
}

/**
 * Returns the settings for a list of changes in a project: the strictest of all its environments and kinds of
 * resources. An approved list is never applied automatically: a person applies it.
 */
export function settingsForList(environments: readonly EnvironmentApprovals[]): ApprovalSettings {
  const [first = defaultApprovalSettings, ...others] = settingKinds
    .map((kind) => settingsForAll(environments, kind))
    .filter(({ required }) => required)
  const strictest = others.reduce((strict, settings) => stricterReviewRule(strict, settings), first)
  return { ...strictest, autoApplyApprovedChanges: false }
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
