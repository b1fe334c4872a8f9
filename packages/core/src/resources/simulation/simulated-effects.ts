import type { Environment } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { SimulatedChangeList } from '../../operation/change-list.ts'
import type { Host } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { parseAddress } from '../../rules/address.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { TouchedRecords } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { touchedBy } from '../../storage/touched-records.ts'
import { outdatedPartFinder } from '../evaluation/outdated-content.ts'
import type { ServedContent } from '../evaluation/served-content.ts'
import { loadEnvironments } from '../flags/flag-state.ts'
import { affectedBy } from './affected.ts'
import { compareFlag } from './compare-evaluations.ts'
import { type ComparedEnvironment, compareEnvironment } from './compared-environment.ts'
import { maxEvaluations } from './simulated-change.ts'
import type { SimulatedFlag } from './simulation.ts'

/** The contexts for which a flag or an AI config gets another variation or value in an environment. */
export interface SimulatedEffect extends SimulatedFlag {
  readonly kind: 'flag' | 'aiconfig'
  readonly projectKey: string
  readonly environmentKey: string
  /** The contexts that were evaluated, to which the indexes of `contexts` refer. */
  readonly evaluated: readonly EvaluationContext[]
}

/** The contexts of a simulation, and the parts that read the flags. */
export interface EffectParts {
  readonly served: ServedContent
  readonly host: Host
  /** Contexts that the caller names; undefined to use the known contexts of each environment. */
  readonly contexts: readonly EvaluationContext[] | undefined
  knownContexts(environment: EnvironmentKeys): Promise<readonly EvaluationContext[]>
}

/** The effects of a list of changes. */
export interface SimulatedEffects {
  /** Flags and AI configs whose result changes for at least one context, by project, environment and key. */
  readonly effects: readonly SimulatedEffect[]
  /** Number of evaluated contexts. For several environments, the greatest number. */
  readonly evaluated: number
}

/**
 * Evaluates contexts before and after a list of changes, in each environment in which the changes can have an effect.
 * Flags and AI configs that the changes create have no result before, and are left out.
 *
 * @throws ApiError `invalid_request` naming `contexts` when the caller names more than can be evaluated.
 */
export async function simulatedEffects(
  { before, after, changes }: Pick<SimulatedChangeList, 'before' | 'after' | 'changes'>,
  { served, host, contexts, knownContexts }: EffectParts,
): Promise<SimulatedEffects> {
  const touched = touchedBy(changes)
  const tx = new StorageReader(before)
  const effects: SimulatedEffect[] = []
  let remaining = maxEvaluations
  let most = 0
  for (const projectKey of projectsOf(touched)) {
    for (const { key: environmentKey } of await affectedEnvironments(tx, projectKey, touched, served)) {
      const keys = { projectKey, environmentKey }
      const contextsToEvaluate = contexts ?? (await knownContexts(keys))
      const environment =
        contextsToEvaluate.length > 0 &&
        (await compareEnvironment(before, { changes, after }, { keys, contexts: contextsToEvaluate }, { served, host }))
      if (!environment) continue
      const changed = changedKeys(environment, keys, touched)
      const maxContexts = Math.floor(remaining / Math.max(changed.length, 1))
      if (contexts && contexts.length > maxContexts) refuseContexts(maxContexts, changed.length)
      const evaluated = contextsToEvaluate.slice(0, maxContexts)
      remaining -= evaluated.length * changed.length
      most = Math.max(most, evaluated.length)
      for (const { kind, key } of changed) {
        const compared = compareFlag(environment, key, evaluated)
        if (compared.changed > 0) effects.push({ ...compared, ...keys, kind, evaluated })
      }
    }
  }
  return { effects, evaluated: most }
}

function refuseContexts(maxContexts: number, resources: number): never {
  const reason = `must contain at most ${maxContexts} contexts, because ${resources} flags and AI configs are evaluated for each`
  return fail('invalid_request', { errors: [{ attribute: 'contexts', reason }] })
}

/** Returns the keys of the projects to which changes belong, sorted. */
function projectsOf(touched: readonly TouchedRecords[]): readonly string[] {
  const keys = touched.flatMap((records) => {
    const scope = 'id' in records ? records.id.scope : 'set' in records ? records.set.scope : scopeIn(records)
    const [first] = parseAddress(scope) ?? []
    return first?.kind === 'proj' ? [first.key] : []
  })
  return [...new Set(keys)].sort()
}

function scopeIn(records: TouchedRecords): string {
  return 'scope' in records ? records.scope : ''
}

/** Returns the environments of a project whose content the changes touch. */
async function affectedEnvironments(
  tx: StorageReader,
  projectKey: string,
  touched: readonly TouchedRecords[],
  served: ServedContent,
): Promise<readonly Environment[]> {
  const all = await loadEnvironments(tx, projectKey)
  return all.filter(({ key: environmentKey }) => {
    const keys = { projectKey, environmentKey }
    const outdatedPartOf = outdatedPartFinder(keys)
    const affects = served.affectedBy(keys)
    return touched.some((records) => outdatedPartOf(records) !== undefined || affects(records))
  })
}

/** Returns the flags and AI configs of both sides whose result the changes can affect, by key. */
function changedKeys(
  environment: ComparedEnvironment,
  keys: EnvironmentKeys,
  touched: readonly TouchedRecords[],
): readonly { readonly kind: SimulatedEffect['kind']; readonly key: string }[] {
  const { before, after } = environment
  const outdatedPartOf = outdatedPartFinder(keys)
  const start = { flags: new Set<string>(), segments: new Set<string>() }
  for (const records of touched) {
    const part = outdatedPartOf(records)
    if (part?.part === 'flag') start.flags.add(part.key)
    if (part?.part === 'segment') start.segments.add(part.key)
    if (part?.part === 'memberships') for (const { key } of before.content.bigSegments.values()) start.segments.add(key)
  }
  const affected = affectedBy(environment, start)
  const configKeys = [...before.aiConfigs.keys()].filter(
    (key) => affected.aiConfigs.has(key) || !jsonEqual(before.content.served.get(key), after.content.served.get(key)),
  )
  const flagKeys = [...affected.flags].filter((key) => before.flags.has(key))
  return [
    ...flagKeys.sort().map((key) => ({ kind: 'flag' as const, key })),
    ...configKeys.sort().map((key) => ({ kind: 'aiconfig' as const, key })),
  ]
}
