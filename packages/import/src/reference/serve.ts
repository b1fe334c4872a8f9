import { userKind } from '../conditions/clause.ts'
import type { Loss, MovedKeys, MovedServe, MovedTarget } from '../moved-project.ts'
import { scaled, whole } from '../shares.ts'
import type { ReferenceServe } from './export.ts'

/** Reports a loss in a part of a flag. */
export type LoseHere = (loss: Pick<Loss, 'what' | 'why' | 'instead' | 'affects'>) => void

/** Translates what a rule serves. Only the salt of the hash is not imported. */
export function tellServe({ variation, rollout }: ReferenceServe, lose: LoseHere): MovedServe {
  if (!rollout) return { variation: variation ?? 0 }
  const total = rollout.variations.reduce((sum, { weight }) => sum + weight, 0)
  const names = new Set(rollout.variations.map((one) => one.variation))
  const plain = total === whole && names.size === rollout.variations.length
  const variations = plain
    ? rollout.variations.map((one) => ({ variation: one.variation, weight: one.weight }))
    : scaled(withRest(rollout.variations, whole - total), whole)
  if (rollout.kind === 'experiment') {
    const why = 'rollouts here are not experiments'
    lose({ what: 'an experiment', why, instead: 'a rollout with the same shares', affects: 'nothing' })
  }
  if (variations.filter(({ weight }) => weight > 0).length > 1) tellSalt('rollout', lose)
  const by = rollout.bucketBy && rollout.kind !== 'experiment' ? { bucketBy: rollout.bucketBy } : {}
  return { rollout: { variations, contextKind: rollout.contextKind || userKind, ...by } }
}

type Weights = NonNullable<ReferenceServe['rollout']>['variations']

/** The remainder of the weights belongs to the last variation. */
function withRest(weights: Weights, rest: number) {
  const last = weights.at(-1)
  return last && rest > 0 ? [...weights, { variation: last.variation, weight: rest }] : weights
}

/** Reports that another hash decides which contexts are in which share. */
export function tellSalt(what: string, lose: LoseHere): void {
  const why = 'the hash of a rollout uses a salt, which is generated here and cannot be set'
  lose({ what, why, instead: 'the percentages are the same, the contexts differ', affects: 'shares' })
}

interface Targets {
  readonly variation: number
  readonly values: readonly string[]
  readonly contextKind?: string | null | undefined
}

/** Returns targets by kind. Each key occurs once, because the first target with it takes precedence. */
export function tellTargets(targets: readonly Targets[]): readonly MovedTarget[] {
  const taken = new Set<string>()
  const told = targets.map(({ variation, values, contextKind }) => {
    const kind = contextKind || userKind
    return { variation, contextKind: kind, values: values.filter((value) => isNew(`${kind}\u0000${value}`, taken)) }
  })
  return told.filter(({ values }) => values.length > 0)
}

function isNew(name: string, taken: Set<string>): boolean {
  const before = taken.size
  return taken.add(name).size > before
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
export function otherKinds(kinds: ReadonlyMap<string, readonly string[]>): readonly MovedKeys[] {
  return [...kinds].flatMap(([contextKind, values]) =>
    contextKind === userKind || values.length === 0 ? [] : [{ contextKind, values }],
  )
}
