import { type ConfigState, type ReleaseKind, releaseKinds } from '../../rules/insight-charts/index.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { type Replacement, series } from '../../storage/collection.ts'
import type { Sample, SampleColumns } from '../../storage/port.ts'
import type { ConfigKeys, FlagConfig } from './flag-config.ts'
import { servesOneVariation } from './served-variations.ts'

/**
 * Series of all changes of configurations in an environment, labeled by flag, so that charts about the past need one
 * scan. The change log has more details per change, but covers the whole account.
 */
export const flagChanges = series({ name: 'flag-changes', address: 'proj/{projectKey}:env/{environmentKey}' })

/** Indexes of the values of a change. */
const columns = {
  /** Number of the kind of release; null for a change that is not a release. */
  release: 0,
  /** State before the change: 1 when the flag was on, plus 2 when all contexts got the same variation. */
  before: 1,
  /** Time since which the flag was in the state before the change, integer ms. */
  beforeSince: 2,
  /** State after the change, in the format of `before`. */
  after: 3,
} as const

/** Numbers of columns that a scan must read for releases only, and for states. */
export const releaseColumns = 1
export const stateColumns = Object.keys(columns).length

/**
 * Returns the sample that the series stores for a change.
 *
 * @param now integer ms.
 */
export function flagChange(
  { keys: { flagKey }, before, after }: Replacement<FlagConfig, ConfigKeys>,
  now: number,
): Sample {
  const release = releaseKind(before, after)
  return {
    // The id contains the time, because a flag that is deleted and created again starts at version 0 again.
    id: `${flagKey} ${before.version} ${now}`,
    at: now,
    label: flagKey,
    values: [release ? releaseKinds.indexOf(release) : null, bitsOf(before), before.lastModified, bitsOf(after)],
    body: null,
  }
}

/** Returns the state of a configuration as charts use it. */
export function configState(config: FlagConfig): ConfigState {
  return { since: config.lastModified, on: config.on, servesOne: servesOneVariation(config) }
}

/** Returns the states of flags before and after each of these changes, by flag key, in order of time. */
export function statesOf({ at, labels, label, values }: SampleColumns): Map<string, ConfigState[]> {
  const states = new Map(labels.map((flagKey): [string, ConfigState[]] => [flagKey, []]))
  for (let i = 0; i < at.length; i++) {
    const list = states.get(labels[label[i] as number] as string) as ConfigState[]
    list.push(stateOf(values[columns.beforeSince]?.[i] as number, values[columns.before]?.[i] as number))
    list.push(stateOf(at[i] as number, values[columns.after]?.[i] as number))
  }
  return states
}

function bitsOf(config: FlagConfig): number {
  return Number(config.on) + 2 * Number(servesOneVariation(config))
}

function stateOf(since: number, bits: number): ConfigState {
  return { since, on: (bits & 1) === 1, servesOne: (bits & 2) === 2 }
}

/**
 * Returns the kind of release of a change. Turning a flag off is not a release, nor is a change without an effect on
 * evaluation.
 */
function releaseKind(before: FlagConfig, after: FlagConfig): ReleaseKind | undefined {
  if (before.on !== after.on) return after.on ? 'turnedOn' : undefined
  return jsonEqual(servedBy(before), servedBy(after)) ? undefined : 'served'
}

/** Returns everything that determines what contexts get. */
function servedBy({
  on,
  offVariation,
  targets,
  contextTargets,
  rules,
  fallthrough,
  prerequisites,
}: FlagConfig): unknown {
  if (!on) return offVariation
  return {
    targets,
    contextTargets,
    rules: rules.map(({ clauses, variation, rollout }) => ({ clauses, variation, rollout })),
    fallthrough,
    prerequisites,
    // The off variation is served while a prerequisite is not met.
    ...(prerequisites.length > 0 ? { offVariation } : {}),
  }
}

/** Returns the kind of a stored change for lists of events; `changed` for a change without an effect on evaluation. */
export function changeKindOf({ values }: Sample): ReleaseKind | 'turnedOff' | 'changed' {
  const release = values[columns.release]
  if (typeof release === 'number') return releaseKinds[release] ?? 'changed'
  const isOn = (column: number) => ((values[column] ?? 0) & 1) === 1
  return isOn(columns.before) && !isOn(columns.after) ? 'turnedOff' : 'changed'
}
