import type { Statement } from '../../entries/policy.ts'

/**
 * A simple and slow model of decisions D15 (docs/decisions/0002-decide-access-by-policy.md#d15-policies) and D17
 * (docs/decisions/0002-decide-access-by-policy.md#d17-actions). It works on the parts from which policy texts are
 * generated, so it shares neither the parser nor the matching of specifiers with the engine, and does not depend on
 * operations.
 */

export interface Level {
  readonly kind: string
  readonly key: string
  readonly tags?: readonly string[]
  readonly critical?: boolean
}

export type Resource = readonly Level[]

export interface LevelRule {
  readonly kind: string
  /** `*`, a key, or a prefix and then `*`. */
  readonly name: string
  readonly tag?: string | undefined
  readonly critical?: boolean | undefined
}

export interface Rule {
  readonly effect: 'allow' | 'deny'
  /** True when the rule applies to all resources except these. */
  readonly not: boolean
  readonly resources: readonly (readonly LevelRule[])[]
  readonly notActions: boolean
  /** `*`, an action, or a prefix and then `*`. */
  readonly actions: readonly string[]
}

function fits(pattern: string, text: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
}

/**
 * Returns true when a rule matches a level. The key `*` means every key, of which the rule must match all
 * (`matchesAll`) or some.
 */
function namesLevel(rule: LevelRule, level: Level, matchesAll: boolean): boolean {
  if (rule.kind !== level.kind) return false
  if (level.key === '*')
    return !matchesAll || (rule.name === '*' && rule.tag === undefined && rule.critical === undefined)
  if (rule.tag !== undefined && !level.tags?.includes(rule.tag)) return false
  return fits(rule.name, level.key) && (rule.critical === undefined || rule.critical === level.critical)
}

function applies(rule: Rule, action: string, resource: Resource): boolean {
  const matchesAll = (rule.effect === 'allow') !== rule.not
  const matchesResource = rule.resources.some(
    (levels) =>
      levels.length === resource.length &&
      levels.every((entry, index) => namesLevel(entry, resource[index] as Level, matchesAll)),
  )
  return matchesResource !== rule.not && rule.actions.some((entry) => fits(entry, action)) !== rule.notActions
}

/** An action on a resource. */
export interface Right {
  readonly action: string
  readonly resource: Resource
}

export function allows(policy: readonly Rule[], { action, resource }: Right): boolean {
  const applying = policy.filter((rule) => applies(rule, action, resource))
  return applying.some((rule) => rule.effect === 'allow') && !applying.some((rule) => rule.effect === 'deny')
}

export function statementOf({ effect, not, resources, notActions, actions }: Rule): Statement {
  const texts = resources.map((levels) => levels.map(textOf).join(':'))
  return { effect, [not ? 'notResources' : 'resources']: texts, [notActions ? 'notActions' : 'actions']: actions }
}

function textOf({ kind, name, tag, critical }: LevelRule): string {
  const property = critical === undefined ? [] : [`{critical:${critical}}`]
  return [`${kind}/${name}`, ...(tag === undefined ? [] : [tag]), ...property].join(';')
}

// The actions of the model (docs/decisions/0002-decide-access-by-policy.md#d17-actions): one for each property that a
// caller can change, by kind of resource.

export type Actions = Readonly<Record<string, string>>

export const actionsOf = {
  project: {
    name: 'updateProjectName',
    tags: 'updateTags',
    defaultClientSideAvailability: 'updateDefaultClientSideAvailability',
  },
  environment: {
    name: 'updateName',
    color: 'updateColor',
    defaultTtl: 'updateTtl',
    apiKey: 'updateApiKey',
    mobileKey: 'updateMobileKey',
    secureMode: 'updateSecureMode',
    defaultTrackEvents: 'updateDefaultTrackEvents',
    requireComments: 'updateRequireComments',
    confirmChanges: 'updateConfirmChanges',
    tags: 'updateTags',
    critical: 'updateCritical',
    approvalSettings: 'updateApprovalSettings',
  },
  flag: {
    name: 'updateName',
    description: 'updateDescription',
    variations: 'updateFlagVariations',
    defaults: 'updateFlagDefaultVariations',
    temporary: 'updateTemporary',
    tags: 'updateTags',
    clientSideAvailability: 'updateClientSideFlagAvailability',
    maintainerId: 'updateMaintainer',
    maintainerTeamKey: 'updateMaintainer',
    customProperties: 'updateFlagCustomProperties',
    archived: 'updateGlobalArchived',
    deprecated: 'updateDeprecated',
  },
  config: {
    on: 'updateOn',
    targets: 'updateTargets',
    contextTargets: 'updateTargets',
    rules: 'updateRules',
    fallthrough: 'updateFallthrough',
    offVariation: 'updateOffVariation',
    prerequisites: 'updatePrerequisites',
    trackEvents: 'updateTrackEvents',
    trackEventsFallthrough: 'updateFlagFallthroughTrackEvents',
  },
  segment: {
    name: 'updateName',
    description: 'updateDescription',
    tags: 'updateTags',
    included: 'updateIncluded',
    includedContexts: 'updateIncluded',
    excluded: 'updateExcluded',
    excludedContexts: 'updateExcluded',
    rules: 'updateRules',
  },
} as const satisfies Readonly<Record<string, Actions>>

export type Kind = keyof typeof actionsOf

/** Kinds that are created and deleted; a configuration is created and deleted with its flag and its environment. */
export const lifeActions: Partial<Record<Kind, readonly [create: string, remove: string]>> = {
  project: ['createProject', 'deleteProject'],
  environment: ['createEnvironment', 'deleteEnvironment'],
  flag: ['createFlag', 'deleteFlag'],
  segment: ['createSegment', 'deleteSegment'],
}
