import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { dependentFlags, type FlagConfig, flagConfigs, type Prerequisite } from '../../../models/flags/flag-config.ts'
import { holdNamed } from '../../../models/segments/hold-named.ts'
import { namedBy } from '../../../models/segments/segment.ts'
import type { WriteContext } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'
import { missingMaintainers } from '../../maintainers/maintainer-faults.ts'
import type { FlagState } from '../flag-state.ts'
import type { FlagChange, Problem } from './flag-change.ts'

/** A configuration that a patch changes. */
export interface ConfigChange {
  readonly environmentKey: string
  readonly before: FlagConfig
  readonly after: FlagConfig
}

/** A new maintainer must be a member or a team of the account. */
export async function maintainerProblems(tx: Reader, before: Flag, { flag }: FlagChange): Promise<Problem[]> {
  const { maintainerId, maintainerTeamKey } = flag
  const faults = await missingMaintainers(tx, {
    maintainerId: maintainerId === before.maintainerId ? undefined : maintainerId,
    maintainerTeamKey: maintainerTeamKey === before.maintainerTeamKey ? undefined : maintainerTeamKey,
  })
  return faults.map((fault) => ({ ...fault, shows: (state) => state[fault.attribute] === flag[fault.attribute] }))
}

/** Segments that rules newly refer to must exist, and must still exist at the commit. */
export async function segmentProblems(
  { tx }: Pick<WriteContext, 'tx'>,
  { projectKey }: FlagKeys,
  changes: readonly ConfigChange[],
): Promise<Problem[]> {
  const missing = await holdNamed(tx, projectKey, changes)
  return missing.map(({ environmentKey, segmentKey }) => noSegment(environmentKey, segmentKey))
}

function noSegment(environmentKey: string, segmentKey: string): Problem {
  return {
    environmentKey,
    attribute: 'rules',
    reason: `must name segments of the environment: ${segmentKey} does not exist`,
    shows: (_, config) => config !== undefined && namedBy(config.rules).includes(segmentKey),
  }
}

export interface PrerequisiteFindings {
  readonly problems: readonly Problem[]
  /** The flags that newly became prerequisites. */
  readonly adopted: readonly Flag[]
}

/** New prerequisites must exist, have the required variation, and not depend on this flag. */
export async function prerequisiteFindings(
  context: Pick<WriteContext, 'tx'>,
  keys: FlagKeys,
  changes: readonly ConfigChange[],
): Promise<PrerequisiteFindings> {
  const wanted = changes.flatMap(({ environmentKey, before, after }) =>
    newPrerequisites(before, after).map((one) => ({ ...one, environmentKey })),
  )
  const flagKeys = [...new Set(wanted.map(({ key }) => key))]
  const list = await context.tx.getMany(
    flags,
    flagKeys.map((flagKey) => ({ ...keys, flagKey })),
  )
  const found = new Map(flagKeys.map((key, at) => [key, list[at]]))
  const problems: Problem[] = []
  const visited = new Set<string>()
  for (const { environmentKey, key, variation } of wanted) {
    const reason =
      prerequisiteFault(found.get(key), key, variation) ??
      (await circleFault(context.tx, { ...keys, environmentKey }, key, visited))
    if (reason === undefined) continue
    const shows: Problem['shows'] = (_, config) => config?.prerequisites.some((one) => one.key === key) ?? false
    problems.push({ environmentKey, attribute: 'prerequisites', reason, shows })
  }
  for (const key of flagKeys) visited.delete(key)
  await expectFlags(context, keys, [...visited])
  return { problems, adopted: list.filter((flag) => flag !== undefined) }
}

function newPrerequisites(before: FlagConfig, after: FlagConfig): Prerequisite[] {
  return after.prerequisites.filter(
    ({ key, variation }) => !before.prerequisites.some((one) => one.key === key && one.variation === variation),
  )
}

function prerequisiteFault(flag: Flag | undefined, key: string, variation: number): string | undefined {
  if (!flag) return `must be flags of the project: ${key} does not exist`
  if (flag.archived) return `must not be archived: ${key} is archived`
  return flag.variations[variation] ? undefined : `must name a variation of ${key}`
}

/**
 * Follows the prerequisites of prerequisites, level by level, until there are none or the flag itself is among them.
 */
async function circleFault(
  tx: Reader,
  keys: FlagKeys & { readonly environmentKey: string },
  from: string,
  visited: Set<string>,
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
 * Two concurrent changes could each add one half of a cycle. Therefore the commit requires that every flag that was
 * checked is unchanged.
 */
async function expectFlags(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: FlagKeys,
  flagKeys: readonly string[],
): Promise<void> {
  const places = flagKeys.map((flagKey) => ({ ...keys, flagKey }))
  const found = await tx.getMany(flags, places)
  for (const [at, place] of places.entries()) {
    const flag = found[at]
    if (flag) tx.expect(flags, place, flag)
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
  const found = await Promise.all(
    environments.map(({ key }) => tx.pageKeys(dependentFlags, { ...keys, environmentKey: key }, { limit: 1 })),
  )
  return found.flat()[0]
}

export function added(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((one) => !before.includes(one))
}
