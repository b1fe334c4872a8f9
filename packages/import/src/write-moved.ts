import type { ApiError } from '@halyard/core'
import { interruption } from './interruption.ts'
import type { MovedEnvironment, MovedFlag, MovedProject, MovedSegment } from './moved-project.ts'
import { type KnownVariation, placedConfig, placedVariations } from './placed-variations.ts'
import { type Refusal, whyRefused } from './refusal.ts'
import { deleteUnaskedSegments } from './unasked-segments.ts'
import type { WritePlace } from './write-place.ts'
import { differences, type PatchOperation } from './written-difference.ts'

/** The result of writing an import. */
export interface Written {
  readonly flags: WrittenCounts
  readonly segments: WrittenSegments
  /** Flags and segments that could not be written, and are unchanged. */
  readonly refused: readonly Refusal[]
}

/** How many flags or segments were written, by what became of them. */
export interface WrittenCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

/** Counts of segments. Segments that an earlier import created and that nothing refers to any longer are deleted. */
export interface WrittenSegments extends WrittenCounts {
  readonly deleted: number
}

/** Options of {@link writeMoved}. */
export interface WriteWatch {
  /** Aborts the import between two steps. */
  readonly signal?: AbortSignal
  /** Called when a step is done. */
  readonly at?: (done: number) => void
}

type Outcome = 'created' | 'changed' | 'unchanged' | 'refused'

/**
 * How many steps an import takes.
 *
 * @example
 * ```ts
 * import { flagdFormat, stepsOf } from '@halyard/import'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * console.log(stepsOf(read.moved)) // 2
 * ```
 */
export function stepsOf({ segments, flags }: MovedProject): number {
  return 2 * (segments.length + flags.length)
}

/**
 * Writes what was read: environments, kinds of context, segments, flags; all are made before the first gets rules, as these
 * name the others. Written again it changes nothing; what has changed in the export changes here, and what is not in it stays,
 * but for segments that an earlier import made and nothing asks for any more.
 *
 * @throws Interruption when it is interrupted: what is written stays. ApiError for whatever is wrong with the place as a whole.
 *
 * @example
 * ```ts
 * import { flagdFormat, ownerApi, writeMoved } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * const { flags } = await writeMoved(read.moved, { api: ownerApi(engine), projectKey: 'web' })
 * console.log(flags.created) // 1
 * ```
 */
export async function writeMoved(moved: MovedProject, place: WritePlace, watch: WriteWatch = {}): Promise<Written> {
  const outcomes = new Map<string, Outcome>()
  const refused: Refusal[] = []
  const total = stepsOf(moved)
  let done = 0
  async function step(what: string, work: () => Promise<Outcome>): Promise<void> {
    if (watch.signal?.aborted) throw interruption(`${done} of ${total} steps are done; run the import again to continue`)
    const before = outcomes.get(what)
    if (before !== 'refused') outcomes.set(what, later(before, await orRefused(what, work, refused)))
    watch.at?.(++done)
  }
  for (const environment of moved.environments) await ensureEnvironment(place, environment)
  await ensureKinds(place, moved.contextKinds)
  for (const one of moved.segments) await step(segmentTitle(one), () => ensureSegment(place, one))
  for (const one of moved.segments) await step(segmentTitle(one), () => changeSegment(place, one))
  for (const one of moved.flags) await step(`flag ${one.key}`, () => ensureFlag(place, one))
  for (const one of moved.flags) await step(`flag ${one.key}`, () => changeFlag(place, one))
  const deleted = await deleteUnaskedSegments(moved, place, watch.signal)
  return {
    flags: countOf(outcomes, 'flag '),
    segments: { ...countOf(outcomes, 'segment '), deleted: deleted.count },
    refused: [...refused, ...deleted.refused],
  }
}

function segmentTitle({ key, environmentKey }: MovedSegment): string {
  return `segment ${key} in ${environmentKey}`
}

/** Combines the outcomes of both steps of a flag or segment. */
function later(before: Outcome | undefined, after: Outcome): Outcome {
  return after === 'unchanged' && before ? before : before === 'created' && after === 'changed' ? 'created' : after
}

async function orRefused(what: string, work: () => Promise<Outcome>, refused: Refusal[]): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    refused.push({ what, why: whyRefused(error) })
    return 'refused'
  }
}

function countOf(outcomes: ReadonlyMap<string, Outcome>, prefix: string): WrittenCounts {
  const own = [...outcomes].flatMap(([what, outcome]) => (what.startsWith(prefix) ? [outcome] : []))
  const count = (wanted: Outcome) => own.filter((outcome) => outcome === wanted).length
  return { created: count('created'), changed: count('changed'), unchanged: count('unchanged') }
}

async function orMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if ((error as Partial<ApiError>).code === 'not_found') return undefined
    throw error
  }
}

async function ensureEnvironment(
  { api, projectKey }: WritePlace,
  { key, name, color }: MovedEnvironment,
): Promise<void> {
  if (await orMissing(api.getEnvironment({ projectKey, environmentKey: key }))) return
  await api.createEnvironment({ projectKey, body: { key, name, color: color ?? '417505' } })
}

async function ensureKinds({ api, projectKey }: WritePlace, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return
  const { items } = await api.listContextKinds({ projectKey, limit: 100 })
  const known = new Set(items.map(({ key }) => key))
  for (const key of kinds) if (!known.has(key)) await api.putContextKind({ projectKey, key, body: { name: key } })
}

async function ensureSegment({ api, projectKey }: WritePlace, segment: MovedSegment): Promise<Outcome> {
  const { environmentKey, key, name, description, tags, unboundedContextKind } = segment
  if (await orMissing(api.getSegment({ projectKey, environmentKey, segmentKey: key }))) return 'unchanged'
  const big = unboundedContextKind === undefined ? {} : { unbounded: true, unboundedContextKind }
  await api.createSegment({
    projectKey,
    environmentKey,
    body: { key, name, ...(description === undefined ? {} : { description }), tags, ...big },
  })
  return 'created'
}

async function changeSegment({ api, projectKey }: WritePlace, segment: MovedSegment): Promise<Outcome> {
  const { environmentKey, key: segmentKey, unboundedContextKind, ...wanted } = segment
  const current = await api.getSegment({ projectKey, environmentKey, segmentKey })
  const { name, description, tags, ...lists } = wanted
  const members = { name, description, tags, ...(unboundedContextKind === undefined ? lists : {}) }
  const body = differences(members, { excluded: [], ...current })
  if (body.length === 0) return 'unchanged'
  await api.patchSegment({ projectKey, environmentKey, segmentKey, body: patchOf(body) })
  return 'changed'
}

/** Casts the operations, because the type of a patch requires a value for operations of every kind. */
function patchOf(operations: readonly PatchOperation[]) {
  return operations
}

async function ensureFlag({ api, projectKey }: WritePlace, flag: MovedFlag): Promise<Outcome> {
  const current = await orMissing(api.getFlag({ projectKey, featureFlagKey: flag.key }))
  if (current) return changeVariations({ api, projectKey }, flag, current.variations)
  const { from: _, configs, archived, deprecated, migrationSettings, ...settings } = flag
  const migration = migrationSettings ? { purpose: 'migration' as const, migrationSettings } : {}
  await api.createFlag({ projectKey, body: { ...settings, ...migration } })
  return 'created'
}

/** New values are appended to the existing ones; none is removed. */
async function changeVariations(
  { api, projectKey }: WritePlace,
  { key, variations }: MovedFlag,
  known: readonly KnownVariation[],
): Promise<Outcome> {
  if (!variations) return 'unchanged'
  const body = differences({ variations: placedVariations(variations, known) }, { variations: known })
  if (body.length === 0) return 'unchanged'
  await api.patchFlag({ projectKey, featureFlagKey: key, body: patchOf(body) })
  return 'changed'
}

async function changeFlag({ api, projectKey }: WritePlace, flag: MovedFlag): Promise<Outcome> {
  const current = await api.getFlag({ projectKey, featureFlagKey: flag.key })
  const {
    name,
    description = '',
    tags,
    temporary,
    customProperties,
    clientSideAvailability,
    archived,
    deprecated,
  } = flag
  const wide = { name, description, tags, temporary, archived, deprecated }
  const given = {
    ...(customProperties ? { customProperties } : {}),
    ...(clientSideAvailability ? { clientSideAvailability } : {}),
  }
  const body = [
    ...Object.entries(flag.configs).flatMap(([environmentKey, config]) => {
      const { offVariation, ...placed } = flag.variations
        ? placedConfig(config, flag.variations, current.variations)
        : config
      const there = current.environments?.[environmentKey] ?? {}
      return differences({ ...placed, offVariation }, there, `/environments/${environmentKey}`)
    }),
    ...differences({ ...wide, ...given }, current),
  ]
  if (body.length === 0) return 'unchanged'
  await api.patchFlag({ projectKey, featureFlagKey: flag.key, body: patchOf(body) })
  return 'changed'
}
