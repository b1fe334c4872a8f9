// The properties of a flags file, in the order in which they are written.

export const settingNames = ['name', 'tags', 'defaultClientSideAvailability'] as const

export const environmentNames = [
  'name',
  'color',
  'tags',
  'defaultTtl',
  'secureMode',
  'defaultTrackEvents',
  'requireComments',
  'confirmChanges',
  'critical',
] as const

export const segmentNames = ['name', 'description', 'tags', 'unbounded', 'unboundedContextKind'] as const

/** Properties of a segment whose keys are part of it. */
export const segmentContentNames = ['included', 'excluded', 'includedContexts', 'excludedContexts', 'rules'] as const

export const flagNames = [
  'name',
  'description',
  'tags',
  'temporary',
  'archived',
  'deprecated',
  'variations',
  'defaults',
  'clientSideAvailability',
  'customProperties',
] as const

export const configNames = [
  'on',
  'offVariation',
  'fallthrough',
  'targets',
  'contextTargets',
  'rules',
  'prerequisites',
  'trackEvents',
  'trackEventsFallthrough',
] as const
