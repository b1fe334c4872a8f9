import { repositories } from '../../models/code-references/repository.ts'
import { statistics } from '../../models/code-references/statistics.ts'
import { experiments } from '../../models/experiments/experiment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { oneWord, type TermField, type TermFields } from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'

const limit = Number.MAX_SAFE_INTEGER

const inExperiment: Condition = { op: 'anyOf', field: 'hasExperiment', values: ['true'] }

const referencedTimes = (count: number): Condition => ({ op: 'anyOf', field: 'referencedTimes', values: [count] })

/** Makes a filter field whose value is a number of references. */
const references =
  (makeCondition: (count: number) => Condition): TermField =>
  (value, column) => {
    const [{ text = '' } = {}, second] = value.kind === 'texts' ? value.texts : []
    return second === undefined && /^\d{1,9}$/.test(text)
      ? makeCondition(Number(text))
      : { column, expected: 'a number of references' }
  }

/** Filters of flags by where they are used. `flagsWithUsage` handles them. */
export const usageFields: TermFields = {
  hasExperiment: oneWord({ true: inExperiment, false: { op: 'not', condition: inExperiment } }),
  'codeReferences.min': references(referencedTimes),
  'codeReferences.max': references((count) => ({ op: 'not', condition: referencedTimes(count + 1) })),
}

type KeysOfFlags = (context: ReadContext, projectKey: string, value: number) => Promise<string[]>

const lookUps: Readonly<Record<string, KeysOfFlags>> = {
  async hasExperiment({ tx }, projectKey) {
    const where = [{ op: 'equals', field: 'archived', value: false }] as const
    const { items } = await tx.listRows(experiments, { projectKey }, { deep: true, where, limit })
    return items.flatMap(({ fields }) => fields.flagKeys as string[])
  },
  // References in a repository that the caller may not view are not counted, as in statistics.
  async referencedTimes(context, projectKey, count) {
    const { items } = await context.tx.list(statistics, { projectKey }, { limit })
    const counts = new Map<string, number>()
    for (const { repo, flags } of items) {
      const repository = await context.tx.get(repositories, { repo })
      if (!repository) continue
      if (!(await context.allowed('viewCodeReferenceRepository', repositories, { repo }, repository))) continue
      for (const [flagKey, { hunkCount }] of Object.entries(flags)) {
        counts.set(flagKey, (counts.get(flagKey) ?? 0) + hunkCount)
      }
    }
    return [...counts].filter(([, hunks]) => hunks >= count).map(([flagKey]) => flagKey)
  },
}

/**
 * Replaces conditions on the use of flags by the keys of the flags: `hasExperiment` by the flags of experiments that
 * are not archived, and `codeReferences` by the flags with the given number of references on the default branches of
 * repositories.
 */
export async function flagsWithUsage(
  context: ReadContext,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const keysBy = new Map<string, readonly string[]>()
  const usageConditions = Object.entries(lookUps).flatMap(([field, lookUp]) =>
    filteredValues(conditions, field).map((value) => ({ field, value, lookUp })),
  )
  await Promise.all(
    usageConditions.map(async ({ field, value, lookUp }) => {
      const flagKeys = await lookUp(context, projectKey, Number(value))
      keysBy.set(`${field}:${value}`, [...new Set(flagKeys)])
    }),
  )
  return Object.keys(lookUps).reduce(
    (all, field) =>
      all.map((condition) =>
        replaceFieldConditions(condition, field, (values) => ({
          op: 'anyOf',
          field: 'key',
          values: values.flatMap((value) => keysBy.get(`${field}:${value}`) ?? []),
        })),
      ),
    conditions,
  )
}
