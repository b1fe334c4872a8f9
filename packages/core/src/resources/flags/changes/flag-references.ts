import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { dependentFlags, type FlagConfig, flagConfigs, type Prerequisite } from '../../../models/flags/flag-config.ts'
import { recordNewReferences } from '../../../models/segments/record-new-references.ts'
import { referencedSegments } from '../../../models/segments/segment.ts'
import type { WriteContext } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import { validateMaintainerExists } from '../../maintainers/validate-maintainer.ts'
import type { FlagState } from '../flag-state.ts'
import type { FlagChange, Problem } from './flag-change.ts'

/** A configuration that a patch changes. */
export interface ConfigChange {
  readonly environmentKey: string
  readonly before: FlagConfig
  readonly after: FlagConfig
}

/** Checks that a new maintainer is a member or a team of the account. */
export async function maintainerProblems(tx: Reader, before: Flag, { flag }: FlagChange): Promise<Problem[]> {
  const { maintainerId, maintainerTeamKey } = flag
  const errors = await validateMaintainerExists(tx, {
    maintainerId: maintainerId === before.maintainerId ? undefined : maintainerId,
    maintainerTeamKey: maintainerTeamKey === before.maintainerTeamKey ? undefined : maintainerTeamKey,
  })
  return errors.map((error) => ({ ...error, existsIn: (state) => state[error.attribute] === flag[error.attribute] }))
}

/** Checks that segments to which rules newly refer exist, and requires that they still exist at the commit. */
export async function segmentProblems(
  { tx }: Pick<WriteContext, 'tx'>,
  { projectKey }: FlagKeys,
  changes: readonly ConfigChange[],
): Promise<Problem[]> {
  const missing = await recordNewReferences(tx, projectKey, changes)
  return missing.map(({ environmentKey, segmentKey }) => unknownSegment(environmentKey, segmentKey))
}

function unknownSegment(environmentKey: string, segmentKey: string): Problem {
  return {
    environmentKey,
    attribute: 'rules',
    reason: `must name segments of the environment: ${segmentKey} does not exist`,
    existsIn: (_, config) => config !== undefined && referencedSegments(config.rules).includes(segmentKey),
  }
}

export interface PrerequisiteCheck {
  readonly problems: readonly Problem[]
  /** The flags that newly became prerequisites. */
  readonly addedFlags: readonly Flag[]
}

/** Checks that new prerequisites exist, have the required variation, and do not depend on this flag. */
export async function checkPrerequisites(
  context: Pick<WriteContext, 'tx'>,
  keys: FlagKeys,
  changes: readonly ConfigChange[],
): Promise<PrerequisiteCheck> {
  const newEntries = changes.flatMap(({ environmentKey, before, after }) =>
    newPrerequisites(before, after).map((entry) => ({ ...entry, environmentKey })),
  )
  const flagKeys = [...new Set(newEntries.map(({ key }) => key))]
  const documents = await context.tx.getMany(
    flags,
    flagKeys.map((flagKey) => ({ ...keys, flagKey })),
  )
  const flagByKey = new Map(flagKeys.map((key, index) => [key, documents[index]]))
  const problems: Problem[] = []
  const visited = new Set<string>()
  for (const { environmentKey, key, variation } of newEntries) {
    const reason =
      prerequisiteError(flagByKey.get(key), key, variation) ??
      (await cycleError(context.tx, { ...keys, environmentKey }, { from: key, visited }))
    if (reason === undefined) continue
    const existsIn: Problem['existsIn'] = (_, config) =>
      config?.prerequisites.some((entry) => entry.key === key) ?? false
    problems.push({ environmentKey, attribute: 'prerequisites', reason, existsIn })
  }
  for (const key of flagKeys) visited.delete(key)
  await expectUnchangedFlags(context, keys, [...visited])
  return { problems, addedFlags: documents.filter((flag) => flag !== undefined) }
}

function newPrerequisites(before: FlagConfig, after: FlagConfig): Prerequisite[] {
  return after.prerequisites.filter(
    ({ key, variation }) => !before.prerequisites.some((entry) => entry.key === key && entry.variation === variation),
  )
}

function prerequisiteError(flag: Flag | undefined, key: string, variation: number): string | undefined {
  if (!flag) return `must be flags of the project: ${key} does not exist`
  if (flag.archived) return `must not be archived: ${key} is archived`
  return flag.variations[variation] ? undefined : `must name a variation of ${key}`
}

/** The flag at which a search continues, and the flags that it has visited. */
interface CycleSearch {
  readonly from: string
  readonly visited: Set<string>
}

/**
 * Follows the prerequisites of prerequisites, level by level, until there are none or the flag itself is among them.
 */
async function cycleError(
  tx: Reader,
  keys: FlagKeys & { readonly environmentKey: string },
  { from, visited }: CycleSearch,
): Promise<string | undefined> {
  const seen = new Set([from])
  for (let level = [from]; level.length > 0; ) {
    if (level.includes(keys.flagKey)) return `must not form a cycle: ${from} depends on ${keys.flagKey}`
    for (const key of level) visited.add(key)
    const configs = await tx.getMany(
      flagConfigs,
      level.map((flagKey) => ({ ...keys, flagKey })),
    )
    const next = configs.flatMap((config) => config?.prerequisites.map(({ key }) => key) ?? [])
    level = [...new Set(next)].filter((key) => !seen.has(key))
    for (const key of level) seen.add(key)
  }
  return undefined
}

/**
 * Requires that every flag that was checked is unchanged at the commit: otherwise two concurrent changes could each add
 * one half of a cycle.
 */
async function expectUnchangedFlags(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: FlagKeys,
  flagKeys: readonly string[],
): Promise<void> {
  const keysList = flagKeys.map((flagKey) => ({ ...keys, flagKey }))
  const documents = await tx.getMany(flags, keysList)
  for (const [index, documentKeys] of keysList.entries()) {
    const flag = documents[index]
    if (flag) tx.expect(flags, documentKeys, flag)
  }
}

/**
 * Returns the key of a flag that has this flag as prerequisite in one of the environments; undefined when there is
 * none.
 */
export async function dependentOf(
  tx: Reader,
  keys: FlagKeys,
  { environments }: FlagState,
): Promise<string | undefined> {
  const dependents = await Promise.all(
    environments.map(({ key }) => tx.pageKeys(dependentFlags, { ...keys, environmentKey: key }, { limit: 1 })),
  )
  return dependents.flat()[0]
}

export function addedKeys(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((entry) => !before.includes(entry))
}
