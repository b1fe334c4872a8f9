import { contextKindsMs, flagUses } from '../../models/flag-evaluations/flag-evaluation.ts'
import type { ReadContext } from '../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import type { TermField, TermFields } from '../../operation/filters/term-conditions.ts'
import type { Condition } from '../../storage/port.ts'
import type { FilteredEnvironments } from './filtered-environments.ts'
import { loadEnvironments } from './flag-state.ts'
import { withVisibleStatus } from './statuses/visible-statuses.ts'

const limit = Number.MAX_SAFE_INTEGER

const field = 'contextKindsEvaluated'

/** `contextKindsEvaluated:a+b`: evaluated for contexts of each of the kinds. */
const allKinds: TermField = (value, column) =>
  value.kind === 'texts'
    ? { op: 'and', all: value.texts.map(({ text }) => ({ op: 'anyOf', field, values: [text] })) }
    : { column, expected: 'kinds of contexts' }

/** Filter of flags by the kinds of contexts for which they were evaluated. `flagsWithContextKinds` handles it. */
export const contextKindFields: TermFields = { [field]: allKinds }

/**
 * Replaces `contextKindsEvaluated` in conditions on flags by the keys of the flags that were evaluated for a context of
 * the kind in the last 30 days, if the caller may view their status.
 */
export async function flagsWithContextKinds(
  context: Pick<ReadContext, 'tx' | 'allowed' | 'readClock'>,
  { projectKey, environmentKeys }: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const kinds = filteredValues(conditions, field).map(String)
  if (kinds.length === 0) return conditions
  const environments = (await loadEnvironments(context.tx, projectKey)).map(({ key }) => key)
  const searched = environments.filter((key) => environmentKeys.length === 0 || environmentKeys.includes(key))
  const keysByKind = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const flagKeys = await Promise.all(
          searched.map((environmentKey) => flagsOfKind(context, { projectKey, environmentKey }, kind)),
        )
        return [kind, [...new Set(flagKeys.flat())]] as const
      }),
    ),
  )
  return conditions.map((condition) =>
    replaceFieldConditions(condition, field, (values) => ({
      op: 'anyOf',
      field: 'key',
      values: values.flatMap((kind) => keysByKind.get(String(kind)) ?? []),
    })),
  )
}

async function flagsOfKind(
  context: Pick<ReadContext, 'tx' | 'allowed' | 'readClock'>,
  keys: Readonly<Record<'projectKey' | 'environmentKey', string>>,
  kind: string,
): Promise<readonly string[]> {
  const since = context.readClock() - contextKindsMs
  const where: Condition[] = [
    { op: 'equals', field: 'contextKinds', value: kind },
    { op: 'range', field: 'lastRequested', from: since },
  ]
  const { items } = await context.tx.listRows(flagUses, keys, { where, limit })
  const uses = await context.tx.getMany(
    flagUses,
    items.map(({ key: flagKey }) => ({ ...keys, flagKey })),
  )
  const flagKeys = items.map(({ key }) => key).filter((_, index) => (uses[index]?.contextKinds?.[kind] ?? 0) >= since)
  return withVisibleStatus(context, keys, flagKeys)
}
