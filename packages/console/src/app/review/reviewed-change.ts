import { api, entityTagOf } from '../api.ts'
import type { Instruction } from '../targeting/instructions-of.ts'

/** Keys of the flag, and of the environment, that a change affects. */
export interface FlagPlace {
  readonly project: string
  readonly environment: string
  readonly flag: string
}

/** Keys of the AI config, and of the environment, that a change affects. */
export interface AIConfigPlace {
  readonly project: string
  readonly environment: string
  readonly config: string
}

/** Keys of the segment, and of the environment, that a change affects. */
export interface SegmentPlace {
  readonly project: string
  readonly environment: string
  readonly segment: string
}

/** A change that a person reviews before it is made. */
export interface ReviewedChange {
  readonly instructions: readonly Instruction[]
  /** Address of the resource, e.g. `proj/web:env/production:flag/checkout`. */
  readonly resource: string
  /** The change as the function `simulate` accepts it, without contexts. */
  readonly simulated: object
  readonly save: (comment: string) => Promise<unknown>
  /** Makes the change later. Absent for resources without scheduled changes. */
  readonly schedule?: (comment: string, executionDate: number) => Promise<unknown>
}

/**
 * Returns a change of a flag.
 *
 * @param ifMatch entity tag of the state from which the change was made. Default: that of the last response.
 */
export function flagChange(
  { project: projectKey, environment: environmentKey, flag: flagKey }: FlagPlace,
  instructions: readonly Instruction[],
  ifMatch?: string,
): ReviewedChange {
  const checked = checkedByApi(instructions)
  const keys = { projectKey, environmentKey, flagKey }
  return {
    instructions,
    resource: `proj/${projectKey}:env/${environmentKey}:flag/${flagKey}`,
    simulated: { ...keys, instructions },
    save: (comment) => {
      const body = { environmentKey, instructions: checked, ...remark(comment) }
      return api.patchFlag({ projectKey, flagKey, body }, conditionOf(ifMatch ?? flagTag(projectKey, flagKey)))
    },
    schedule: (comment, executionDate) =>
      api.createScheduledChange({ ...keys, body: { instructions: checked, executionDate, ...remark(comment) } }),
  }
}

/**
 * Returns a change of the targeting of an AI config.
 *
 * @param ifMatch entity tag of the state from which the change was made.
 */
export function aiConfigChange(
  { project: projectKey, environment: environmentKey, config: configKey }: AIConfigPlace,
  instructions: readonly Instruction[],
  ifMatch: string | undefined,
): ReviewedChange {
  return {
    instructions,
    resource: `proj/${projectKey}:env/${environmentKey}:aiconfig/${configKey}`,
    simulated: { projectKey, environmentKey, configKey, instructions },
    save: (comment) => {
      const body = { environmentKey, instructions: checkedByApi(instructions), ...remark(comment) }
      return api.patchAIConfigTargeting({ projectKey, configKey, body }, conditionOf(ifMatch))
    },
  }
}

/** Returns a change of a variation of an AI config, which is the same in all environments. */
export function aiVariationChange(
  { project: projectKey, environment: environmentKey, config: configKey }: AIConfigPlace,
  variationKey: string,
  patch: Parameters<typeof api.patchAIConfigVariation>[0]['body'],
): ReviewedChange {
  return {
    instructions: [{ kind: 'updateAIConfigVariation', variationKey, ...patch }],
    resource: `proj/${projectKey}:aiconfig/${configKey}`,
    simulated: { projectKey, environmentKey, configKey, variationKey, patch },
    save: (comment) =>
      api.patchAIConfigVariation({ projectKey, configKey, variationKey, body: { ...patch, ...remark(comment) } }),
  }
}

/**
 * Returns a change of a segment.
 *
 * @param ifMatch entity tag of the state from which the change was made.
 */
export function segmentChange(
  { project: projectKey, environment: environmentKey, segment: segmentKey }: SegmentPlace,
  instructions: readonly Instruction[],
  ifMatch: string | undefined,
): ReviewedChange {
  const keys = { projectKey, environmentKey, segmentKey }
  return {
    instructions,
    resource: `proj/${projectKey}:env/${environmentKey}:segment/${segmentKey}`,
    simulated: { ...keys, instructions },
    save: (comment) => {
      const body = { environmentKey, instructions: checkedByApi(instructions), ...remark(comment) }
      return api.patchSegment({ ...keys, body }, conditionOf(ifMatch))
    },
  }
}

/** Returns the entity tag of the flag that was loaded last. */
export function flagTag(project: string, flag: string): string | undefined {
  return entityTagOf(`/api/v2/flags/${encodeURIComponent(project)}/${encodeURIComponent(flag)}`)
}

function remark(comment: string) {
  return comment === '' ? {} : { comment }
}

function conditionOf(ifMatch: string | undefined) {
  return ifMatch === undefined ? {} : { ifMatch }
}

/** Returns the flag in an environment that an address names; undefined for other resources. */
export function flagOf(resource: string | undefined): FlagPlace | undefined {
  const [, project, environment, flag] = /^proj\/([^:]+):env\/([^:*]+):flag\/([^:]+)$/.exec(resource ?? '') ?? []
  return project && environment && flag ? { project, environment, flag } : undefined
}

/** Returns instructions with the type that the client requires. */
function checkedByApi(instructions: readonly Instruction[]) {
  // Cast: the API validates the instructions, and its errors name the invalid one.
  return instructions as never
}
