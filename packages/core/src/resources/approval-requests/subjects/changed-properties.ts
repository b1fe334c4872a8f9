import type { AIConfig } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { Segment } from '../../../models/segments/segment.ts'
import type { AIConfigInstruction } from '../../ai-configs/targeting/targeting-instructions.ts'
import type { FlagInstruction } from '../../flags/instructions/flag-instruction.ts'
import type { SegmentInstruction } from '../../segments/changes/segment-instruction.ts'

/** Properties of a flag and of its configuration. The two have no property name in common. */
type FlagProperty = keyof Flag | keyof FlagConfig

const userTargets: readonly FlagProperty[] = ['targets']
const rules: readonly ('rules' & FlagProperty & keyof Segment & keyof AIConfigTargeting)[] = ['rules']
const prerequisites: readonly FlagProperty[] = ['prerequisites']
const release: readonly FlagProperty[] = ['fallthrough', 'rules', 'automatedReleases']
const variations: readonly FlagProperty[] = ['variations']
const tags: readonly ('tags' & FlagProperty & keyof Segment)[] = ['tags']
const availability: readonly FlagProperty[] = ['clientSideAvailability']
const maintainer: readonly FlagProperty[] = ['maintainerId', 'maintainerTeamKey']
const properties: readonly FlagProperty[] = ['customProperties']

/** The instructions about rules that all resources with rules have. */
const ruleInstructions = {
  addRule: rules,
  removeRule: rules,
  reorderRules: rules,
  updateRuleDescription: rules,
  addClauses: rules,
  removeClauses: rules,
  updateClause: rules,
  addValuesToClause: rules,
  removeValuesFromClause: rules,
}

type TargetingProperty = keyof AIConfigTargeting | keyof Pick<AIConfig, 'defaults'>

const targets: readonly (TargetingProperty & FlagProperty)[] = ['targets', 'contextTargets']

/** Properties that each instruction about the targeting of an AI config changes; flags have the same instructions. */
export const changedTargetingProperties: Readonly<
  Record<AIConfigInstruction['kind'], readonly (TargetingProperty & FlagProperty)[]>
> = {
  ...ruleInstructions,
  turnFlagOn: ['on'],
  turnFlagOff: ['on'],
  updateFallthroughVariationOrRollout: ['fallthrough'],
  updateOffVariation: ['offVariation'],
  updateTrackEvents: ['trackEvents'],
  updateTrackEventsFallthrough: ['trackEventsFallthrough'],
  addTargets: targets,
  removeTargets: targets,
  clearTargets: targets,
  replaceTargets: targets,
  replaceRules: rules,
  updateRuleTrackEvents: rules,
  updateRuleVariationOrRollout: rules,
  updateDefaultVariation: ['defaults'],
}

/**
 * Properties that each instruction changes. Once another caller has changed one of them, the reviews no longer apply to
 * the effect of the instruction.
 */
export const changedFlagProperties: Readonly<Record<FlagInstruction['kind'], readonly FlagProperty[]>> = {
  ...changedTargetingProperties,
  addUserTargets: userTargets,
  removeUserTargets: userTargets,
  clearUserTargets: userTargets,
  replaceUserTargets: userTargets,
  addPrerequisite: prerequisites,
  updatePrerequisite: prerequisites,
  removePrerequisite: prerequisites,
  replacePrerequisites: prerequisites,
  startAutomatedRelease: release,
  stopAutomatedRelease: release,
  holdAutomatedRelease: release,
  resumeAutomatedRelease: release,
  addVariation: variations,
  updateVariation: variations,
  removeVariation: variations,
  updateName: ['name'],
  updateDescription: ['description'],
  addTags: tags,
  removeTags: tags,
  makeFlagPermanent: ['temporary'],
  makeFlagTemporary: ['temporary'],
  turnOnClientSideAvailability: availability,
  turnOffClientSideAvailability: availability,
  updateMaintainerMember: maintainer,
  updateMaintainerTeam: maintainer,
  removeMaintainer: maintainer,
  addCustomProperties: properties,
  replaceCustomProperties: properties,
  removeCustomProperties: properties,
  archiveFlag: ['archived'],
  restoreFlag: ['archived'],
  deprecateFlag: ['deprecated'],
  restoreDeprecatedFlag: ['deprecated'],
  // A request with this instruction is rejected at its creation, because it would be deleted with the flag.
  deleteFlag: [],
}

const included: readonly (keyof Segment)[] = ['included', 'includedContexts']
const excluded: readonly (keyof Segment)[] = ['excluded', 'excludedContexts']
const bigIncluded: readonly (keyof Segment)[] = ['bigIncluded']
const bigExcluded: readonly (keyof Segment)[] = ['bigExcluded']

/** Properties that each instruction about segments changes. */
export const changedSegmentProperties: Readonly<Record<SegmentInstruction['kind'], readonly (keyof Segment)[]>> = {
  ...ruleInstructions,
  addTags: tags,
  removeTags: tags,
  updateName: ['name'],
  addIncludedTargets: included,
  removeIncludedTargets: included,
  addIncludedUsers: included,
  removeIncludedUsers: included,
  addExcludedTargets: excluded,
  removeExcludedTargets: excluded,
  addExcludedUsers: excluded,
  removeExcludedUsers: excluded,
  addBigSegmentIncludedTargets: bigIncluded,
  removeBigSegmentIncludedTargets: bigIncluded,
  addBigSegmentExcludedTargets: bigExcluded,
  removeBigSegmentExcludedTargets: bigExcluded,
  processBigSegmentImport: [...bigIncluded, ...bigExcluded],
  updateRuleRolloutAndContextKind: rules,
}
