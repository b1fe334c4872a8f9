import { type Flag, type FlagKeys, flags } from '../../models/flags/flag.ts'
import type { FlagConfig, Prerequisite } from '../../models/flags/flag-config.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail, type ValidationError } from '../../operation/errors.ts'
import { changeConfig } from './changes/change-config.ts'
import { type ConfigChange, checkPrerequisites } from './changes/flag-references.ts'
import type { FlagState } from './flag-state.ts'
import type { FlagRequest } from './new-flag.ts'

/**
 * Turns a new flag on in all environments, and adds its first prerequisites to all of them, if the request contains
 * these properties. The caller needs the same actions as for a patch of the flag.
 *
 * @param state the new flag with the configurations that follow from its defaults.
 * @returns the written configurations by environment key.
 * @throws ApiError `invalid_request` for a prerequisite that is not a flag of the project or has no such variation, and
 *   for an environment that requires comments.
 */
export async function writeInitialConfigs(
  context: WriteContext,
  keys: FlagKeys,
  { flag, environments, configs }: FlagState,
  { isFlagOn = false, initialPrerequisites = [] }: Pick<FlagRequest, 'isFlagOn' | 'initialPrerequisites'>,
): Promise<ReadonlyMap<string, FlagConfig>> {
  if (!isFlagOn && initialPrerequisites.length === 0) return new Map()
  const prerequisites = await readPrerequisites(context, keys, initialPrerequisites)
  const changes = environments.map((environment): ConfigChange => {
    const before = configs.get(environment.key) as FlagConfig
    return { environmentKey: environment.key, before, after: { ...before, on: isFlagOn, prerequisites } }
  })
  const { problems, addedFlags } = await checkPrerequisites(context, keys, changes)
  const [problem] = problems
  if (problem) fail('invalid_request', { errors: [{ attribute: 'initialPrerequisites', reason: problem.reason }] })
  for (const prerequisite of addedFlags) {
    const prerequisiteKeys = { ...keys, flagKey: prerequisite.key }
    const after = { ...prerequisite, revision: prerequisite.revision + 1 }
    context.tx.follow(flags, prerequisiteKeys, prerequisite, after)
  }
  const written = new Map<string, FlagConfig>()
  for (const [index, environment] of environments.entries()) {
    const { environmentKey, before, after } = changes[index] as ConfigChange
    const change = { comment: undefined, variations: flag.variations }
    const replaced = { keys: { ...keys, environmentKey }, before, after }
    written.set(environmentKey, await changeConfig(context, environment, replaced, change))
  }
  return written
}

/** Returns prerequisites with the indexes of the variations whose ids a request contains. */
async function readPrerequisites(
  { tx }: WriteContext,
  { projectKey }: FlagKeys,
  requested: NonNullable<FlagRequest['initialPrerequisites']>,
): Promise<readonly Prerequisite[]> {
  const documents = await tx.getMany(
    flags,
    requested.map(({ key }) => ({ projectKey, flagKey: key })),
  )
  const errors: ValidationError[] = []
  const prerequisites = requested.map(({ key, variationId }, index) => {
    const variation = variationIndex(documents[index], variationId)
    if (variation < 0) {
      const [property, noun] = documents[index]
        ? ['variationId', 'the id of a variation of the flag']
        : ['key', 'the key of a flag of the project']
      errors.push({ attribute: `initialPrerequisites.${index}.${property}`, reason: `must be ${noun}` })
    }
    return { key, variation }
  })
  if (errors.length > 0) fail('invalid_request', { errors })
  return prerequisites
}

function variationIndex(flag: Flag | undefined, variationId: string): number {
  return flag?.variations.findIndex(({ _id }) => _id === variationId) ?? -1
}
