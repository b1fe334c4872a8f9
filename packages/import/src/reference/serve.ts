import { userKind } from '../conditions/clause.ts'
import type { ImportedKeys, ImportedServe, ImportedTarget, Loss } from '../imported-project.ts'
import { fullWeight, scaleWeights } from '../shares.ts'
import type { ReferenceServe } from './export.ts'

/** Reports a loss in a part of a flag. */
export type ReportLoss = (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void

/** Translates what a rule serves. Only the salt of the hash is not imported. */
export function translateServe({ variation, rollout }: ReferenceServe, reportLoss: ReportLoss): ImportedServe {
  if (!rollout) return { variation: variation ?? 0 }
  const total = rollout.variations.reduce((sum, { weight }) => sum + weight, 0)
  const names = new Set(rollout.variations.map((entry) => entry.variation))
  const isExact = total === fullWeight && names.size === rollout.variations.length
  const variations = isExact
    ? rollout.variations.map((entry) => ({ variation: entry.variation, weight: entry.weight }))
    : scaleWeights(withRemainder(rollout.variations, fullWeight - total), fullWeight)
  if (rollout.kind === 'experiment') {
    const why = 'in Halyard rollouts are not experiments'
    reportLoss({ what: 'an experiment', why, instead: 'a rollout with the same shares', affects: 'nothing' })
  }
  if (variations.filter(({ weight }) => weight > 0).length > 1) reportSaltChange('rollout', reportLoss)
  const bucketing = rollout.bucketBy && rollout.kind !== 'experiment' ? { bucketBy: rollout.bucketBy } : {}
  return { rollout: { variations, contextKind: rollout.contextKind || userKind, ...bucketing } }
}

type Weights = NonNullable<ReferenceServe['rollout']>['variations']

/** Adds the remainder of the weights to the last variation. */
function withRemainder(weights: Weights, remainder: number) {
  const last = weights.at(-1)
  return last && remainder > 0 ? [...weights, { variation: last.variation, weight: remainder }] : weights
}

/** Reports that another hash function assigns the contexts to variations. */
export function reportSaltChange(what: string, reportLoss: ReportLoss): void {
  const why = 'the hash of a rollout uses a salt, which Halyard generates and which cannot be set'
  reportLoss({ what, why, instead: 'the percentages are the same, the contexts differ', affects: 'shares' })
}

interface Targets {
  readonly variation: number
  readonly values: readonly string[]
  readonly contextKind?: string | null | undefined
}

/** Returns targets by kind. Each key occurs once, because the first target with it takes precedence. */
export function translateTargets(targets: readonly Targets[]): readonly ImportedTarget[] {
  const seen = new Set<string>()
  const translated = targets.map(({ variation, values, contextKind }) => {
    const kind = contextKind || userKind
    return { variation, contextKind: kind, values: values.filter((value) => isNew(`${kind}\u0000${value}`, seen)) }
  })
  return translated.filter(({ values }) => values.length > 0)
}

function isNew(name: string, seen: Set<string>): boolean {
  const sizeBefore = seen.size
  return seen.add(name).size > sizeBefore
}

/** Returns one list of a segment by context kind, each kind and each key once. */
export function keysByKind(
  users: readonly string[] | null | undefined,
  contexts:
    | readonly { readonly contextKind?: string | null | undefined; readonly values: readonly string[] }[]
    | null
    | undefined,
): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, Set<string>>([[userKind, new Set(users ?? [])]])
  for (const { contextKind, values } of contexts ?? []) {
    const kind = contextKind || userKind
    kinds.set(kind, new Set([...(kinds.get(kind) ?? []), ...values]))
  }
  return new Map([...kinds].map(([kind, values]) => [kind, [...values]]))
}

/** Returns the kinds other than users. */
export function otherKinds(kinds: ReadonlyMap<string, readonly string[]>): readonly ImportedKeys[] {
  return [...kinds].flatMap(([contextKind, values]) =>
    contextKind === userKind || values.length === 0 ? [] : [{ contextKind, values }],
  )
}
