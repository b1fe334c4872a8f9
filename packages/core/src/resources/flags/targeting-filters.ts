import {
  type GuardedReleaseState,
  guardedReleaseStates,
  guardedStatesOf,
} from '../../models/flags/automated-release.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { releases } from '../../models/releases/release.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { anyText, oneWord, type TermFields } from '../../operation/filters/term-conditions.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader, Row } from '../../storage/reader.ts'
import type { FilteredEnvironments } from './filtered-environments.ts'

const limit = Number.MAX_SAFE_INTEGER

const guardedRollout = (values: readonly GuardedReleaseState[]): Condition => ({
  op: 'anyOf',
  field: 'guardedRollout',
  values,
})

/** Filters of flags by what they target and how they are released. `flagsWithTargeting` handles them. */
export const targetingFields: TermFields = {
  segmentTargeted: anyText('segmentTargeted'),
  releasePipeline: anyText('releasePipeline'),
  guardedRollout: oneWord({
    any: guardedRollout(guardedReleaseStates),
    monitoring: guardedRollout(['monitoring']),
    regressed: guardedRollout(['regressed']),
    rolledBack: guardedRollout(['rolledBack']),
    completed: guardedRollout(['completed']),
  }),
}

type KeysOfFlags = (
  tx: Reader,
  environments: FilteredEnvironments,
  values: readonly string[],
) => Promise<readonly string[]>

const lookUps: Readonly<Record<string, KeysOfFlags>> = {
  async segmentTargeted(tx, { projectKey, environmentKeys }, segmentKeys) {
    const sets = environmentKeys.flatMap((environmentKey) =>
      segmentKeys.map((segmentKey) =>
        tx.pageKeys(targetingFlags, { projectKey, environmentKey, segmentKey }, { limit }),
      ),
    )
    return (await Promise.all(sets)).flat()
  },

  async releasePipeline(tx, { projectKey }, pipelineKeys) {
    const pipelines = await tx.getMany(
      releasePipelines,
      pipelineKeys.map((pipelineKey) => ({ projectKey, pipelineKey })),
    )
    const values = pipelines.flatMap((pipeline) => (pipeline ? [pipeline.id] : []))
    if (values.length === 0) return []
    const where = [{ op: 'anyOf', field: 'pipelineId', values }] as const
    return (await tx.listRows(releases, { projectKey }, { where, limit })).items.map(({ key }) => key)
  },

  async guardedRollout(tx, { projectKey, environmentKeys }, states) {
    const rowsWith = (condition: Condition) =>
      tx.listRows(flagConfigs, { projectKey }, { deep: true, where: [condition], limit })
    const [indexed, unknown] = await Promise.all([
      rowsWith({ op: 'anyOf', field: 'guardedReleases', values: states }),
      // Rows that an earlier version of the engine wrote lack the field, so their documents are read.
      rowsWith({ op: 'exists', field: 'guardedReleases', value: false }),
    ])
    const isNamed = ({ scope }: Row) => environmentKeys.length === 0 || environmentKeys.includes(environmentOf(scope))
    const unknownRows = unknown.items.filter(isNamed)
    const configs = await tx.getMany(
      flagConfigs,
      unknownRows.map(({ key: flagKey, scope }) => ({ projectKey, environmentKey: environmentOf(scope), flagKey })),
    )
    const read = unknownRows.filter((_, index) =>
      guardedStatesOf(configs[index] ?? {}).some((state) => states.includes(state)),
    )
    return [...indexed.items.filter(isNamed), ...read].map(({ key }) => key)
  },
}

const environmentOf = (scope: string) => parseAddress(scope)?.at(-1)?.key ?? ''

/**
 * Replaces conditions on targeting and releases by the keys of the flags: `segmentTargeted` by the flags that target
 * one of the segments in one of the environments, `releasePipeline` by the flags with a release in one of the
 * pipelines, `guardedRollout` by the flags whose latest guarded release of a rule has a state. Segments, pipelines and
 * environments that do not exist match no flag.
 */
export async function flagsWithTargeting(
  tx: Reader,
  environments: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  return Promise.all(
    conditions.map(async (condition) => {
      let replaced = condition
      for (const [field, lookUp] of Object.entries(lookUps)) {
        const filtered = filteredValues([condition], field).map(String)
        if (filtered.length === 0) continue
        const values = [...new Set(await lookUp(tx, environments, filtered))]
        replaced = replaceFieldConditions(replaced, field, () => ({ op: 'anyOf', field: 'key', values }))
      }
      return replaced
    }),
  )
}
