import { type ConfigState, type ReleaseKind, releaseKinds } from '../../rules/insight-charts/index.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { series } from '../../storage/collection.ts'
import type { Sample, SampleColumns } from '../../storage/port.ts'
import type { ConfigKeys, FlagConfig } from './flag-config.ts'
import { servesOne } from './served-variations.ts'

/**
 * Every change of a configuration in an environment, labelled by flag, so that charts tell of the past by one scan. The
 * change log says more of each, but for all of the account together.
 */
export const flagChanges = series({ name: 'flag-changes', address: 'proj/{projectKey}:env/{environmentKey}' })

/** Where in the numbers of a change something is said. */
const columns = {
  /** Index of the kind of release; null for a change that is none. */
  release: 0,
  /** Before the change: 1 when it was on, and 2 more when everybody got the same variation. */
  before: 1,
  /** Since when it was so: integer ms. */
  beforeSince: 2,
  /** The same as `before`, after the change. */
  after: 3,
} as const

/** Columns that a scan must ask for to see releases, and to see states as well. */
export const releaseColumns = 1
export const stateColumns = Object.keys(columns).length

/**
 * A change as the series keeps it.
 *
 * @param now integer ms.
 */
export function flagChange({ flagKey }: ConfigKeys, before: FlagConfig, after: FlagConfig, now: number): Sample {
  const release = releaseKind(before, after)
  return {
    // A flag that is deleted and made again begins with version 0 again, but at another time.
    id: `${flagKey} ${before.version} ${now}`,
    at: now,
    label: flagKey,
    values: [release ? releaseKinds.indexOf(release) : null, bitsOf(before), before.lastModified, bitsOf(after)],
    body: null,
  }
}

/** How a configuration is, as charts look at it. */
export function configState(config: FlagConfig): ConfigState {
  return { since: config.lastModified, on: config.on, servesOne: servesOne(config) }
}

/** How flags were configured before and after each of these changes, by their key; in order of time. */
export function statesOf({ at, labels, label, values }: SampleColumns): Map<string, ConfigState[]> {
  const states = new Map(labels.map((flagKey): [string, ConfigState[]] => [flagKey, []]))
  for (let i = 0; i < at.length; i++) {
    const of = states.get(labels[label[i] as number] as string) as ConfigState[]
    of.push(stateOf(values[columns.beforeSince]?.[i] as number, values[columns.before]?.[i] as number))
    of.push(stateOf(at[i] as number, values[columns.after]?.[i] as number))
  }
  return states
}

function bitsOf(config: FlagConfig): number {
  return Number(config.on) + 2 * Number(servesOne(config))
}

function stateOf(since: number, bits: number): ConfigState {
  return { since, on: (bits & 1) === 1, servesOne: (bits & 2) === 2 }
}

/** What kind of release a change is: turning a flag off is none, and neither is what nobody who evaluates it notices. */
function releaseKind(before: FlagConfig, after: FlagConfig): ReleaseKind | undefined {
  if (before.on !== after.on) return after.on ? 'turnedOn' : undefined
  return jsonEqual(servedBy(before), servedBy(after)) ? undefined : 'served'
}

/** All that decides what contexts get. */
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
    // Served while a prerequisite is not met.
    ...(prerequisites.length > 0 ? { offVariation } : {}),
  }
}

/** What a stored change did, as lists of events call it; `changed` for what nobody who evaluates the flag notices. */
export function changeOf({ values }: Sample): ReleaseKind | 'turnedOff' | 'changed' {
  const release = values[columns.release]
  if (typeof release === 'number') return releaseKinds[release] ?? 'changed'
  const isOn = (column: number) => ((values[column] ?? 0) & 1) === 1
  return isOn(columns.before) && !isOn(columns.after) ? 'turnedOff' : 'changed'
}
