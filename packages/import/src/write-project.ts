import type { ApiError } from '@halyard/core'
import { differences, type PatchOperation } from './differences.ts'
import type { ImportedEnvironment, ImportedFlag, ImportedProject, ImportedSegment } from './imported-project.ts'
import { interruption } from './interruption.ts'
import { type ExistingVariation, mergeVariations, remapConfig } from './merge-variations.ts'
import { type Refusal, refusalReason } from './refusal.ts'
import { deleteUnusedSegments } from './unused-segments.ts'
import type { WriteTarget } from './write-target.ts'

/** The result of writing an import. */
export interface WriteResult {
  readonly flags: WrittenCounts
  readonly segments: WrittenSegments
  /** Flags and segments that could not be written, and are unchanged. */
  readonly refused: readonly Refusal[]
}

/** Number of flags or segments that were written, by result. */
export interface WrittenCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

/** Counts of segments. Segments that an earlier import created and that nothing refers to any longer are deleted. */
export interface WrittenSegments extends WrittenCounts {
  readonly deleted: number
}

/** Options of {@link writeProject}. */
export interface WriteOptions {
  /** Aborts the import between two steps. */
  readonly signal?: AbortSignal
  /** Called when a step is done. */
  readonly onProgress?: (done: number) => void
}

type Outcome = 'created' | 'changed' | 'unchanged' | 'refused'

/**
 * Returns the number of steps of an import.
 *
 * @example
 * ```ts
 * import { flagdFormat, stepsOf } from '@halyard/import'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * console.log(stepsOf(read.importedProject)) // 2
 * ```
 */
export function stepsOf({ segments, flags }: ImportedProject): number {
  return 2 * (segments.length + flags.length)
}

/**
 * Writes an imported project to an engine: environments, context kinds, segments and flags. All of them are created
 * before the first receives rules, because rules refer to the others.
 *
 * A repeated import changes only the differences between the export and the engine. Resources that are not in the
 * export remain, except segments that an earlier import created and that are no longer used.
 *
 * @throws Interruption when it is aborted: completed changes remain. ApiError for a failure that does not concern a
 *   single flag or segment.
 *
 * @example
 * ```ts
 * import { flagdFormat, writeProject } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * const { flags } = await writeProject(read.importedProject, { api: engine.as({ role: 'owner' }), projectKey: 'web' })
 * console.log(flags.created) // 1
 * ```
 */
export async function writeProject(
  importedProject: ImportedProject,
  target: WriteTarget,
  options: WriteOptions = {},
): Promise<WriteResult> {
  const outcomes = new Map<string, Outcome>()
  const refused: Refusal[] = []
  const total = stepsOf(importedProject)
  let done = 0
  async function step(title: string, work: () => Promise<Outcome>): Promise<void> {
    if (options.signal?.aborted)
      throw interruption(`${done} of ${total} steps are done; run the import again to continue`)
    const earlier = outcomes.get(title)
    if (earlier !== 'refused') outcomes.set(title, combineOutcomes(earlier, await writeOrRefuse(title, work, refused)))
    options.onProgress?.(++done)
  }
  for (const environment of importedProject.environments) await ensureEnvironment(target, environment)
  await ensureKinds(target, importedProject.contextKinds)
  for (const item of importedProject.segments) await step(segmentTitle(item), () => ensureSegment(target, item))
  for (const item of importedProject.segments) await step(segmentTitle(item), () => changeSegment(target, item))
  for (const item of importedProject.flags) await step(`flag ${item.key}`, () => ensureFlag(target, item))
  for (const item of importedProject.flags) await step(`flag ${item.key}`, () => changeFlag(target, item))
  const deleted = await deleteUnusedSegments(importedProject, target, options.signal)
  return {
    flags: countOf(outcomes, 'flag '),
    segments: { ...countOf(outcomes, 'segment '), deleted: deleted.count },
    refused: [...refused, ...deleted.refused],
  }
}

function segmentTitle({ key, environmentKey }: ImportedSegment): string {
  return `segment ${key} in ${environmentKey}`
}

/** Combines the outcomes of both steps of a flag or segment. */
function combineOutcomes(earlier: Outcome | undefined, after: Outcome): Outcome {
  return after === 'unchanged' && earlier ? earlier : earlier === 'created' && after === 'changed' ? 'created' : after
}

async function writeOrRefuse(title: string, work: () => Promise<Outcome>, refused: Refusal[]): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    refused.push({ what: title, why: refusalReason(error) })
    return 'refused'
  }
}

function countOf(outcomes: ReadonlyMap<string, Outcome>, prefix: string): WrittenCounts {
  const outcomesOfPrefix = [...outcomes].flatMap(([title, outcome]) => (title.startsWith(prefix) ? [outcome] : []))
  const count = (counted: Outcome) => outcomesOfPrefix.filter((outcome) => outcome === counted).length
  return { created: count('created'), changed: count('changed'), unchanged: count('unchanged') }
}

async function findOrUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if ((error as Partial<ApiError>).code === 'not_found') return undefined
    throw error
  }
}

async function ensureEnvironment(
  { api, projectKey }: WriteTarget,
  { key, name, color }: ImportedEnvironment,
): Promise<void> {
  if (await findOrUndefined(api.getEnvironment({ projectKey, environmentKey: key }))) return
  await api.createEnvironment({ projectKey, body: { key, name, color: color ?? '417505' } })
}

async function ensureKinds({ api, projectKey }: WriteTarget, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return
  const { items } = await api.listContextKinds({ projectKey, limit: 100 })
  const existing = new Set(items.map(({ key }) => key))
  for (const key of kinds) if (!existing.has(key)) await api.putContextKind({ projectKey, key, body: { name: key } })
}

async function ensureSegment({ api, projectKey }: WriteTarget, segment: ImportedSegment): Promise<Outcome> {
  const { environmentKey, key, name, description, tags, unboundedContextKind } = segment
  if (await findOrUndefined(api.getSegment({ projectKey, environmentKey, segmentKey: key }))) return 'unchanged'
  const bigSegmentOptions = unboundedContextKind === undefined ? {} : { unbounded: true, unboundedContextKind }
  await api.createSegment({
    projectKey,
    environmentKey,
    body: { key, name, ...(description === undefined ? {} : { description }), tags, ...bigSegmentOptions },
  })
  return 'created'
}

async function changeSegment({ api, projectKey }: WriteTarget, segment: ImportedSegment): Promise<Outcome> {
  const { environmentKey, key: segmentKey, unboundedContextKind, ...desired } = segment
  const current = await api.getSegment({ projectKey, environmentKey, segmentKey })
  const { name, description, tags, ...lists } = desired
  const properties = { name, description, tags, ...(unboundedContextKind === undefined ? lists : {}) }
  const body = differences(properties, { excluded: [], ...current })
  if (body.length === 0) return 'unchanged'
  await api.patchSegment({ projectKey, environmentKey, segmentKey, body: patchOf(body) })
  return 'changed'
}

/** Casts the operations, because the type of a patch requires a value for operations of every kind. */
function patchOf(operations: readonly PatchOperation[]) {
  return operations
}

async function ensureFlag({ api, projectKey }: WriteTarget, flag: ImportedFlag): Promise<Outcome> {
  const current = await findOrUndefined(api.getFlag({ projectKey, flagKey: flag.key }))
  if (current) return changeVariations({ api, projectKey }, flag, current.variations)
  const { from: _, configs, archived, deprecated, migrationSettings, ...settings } = flag
  const migration = migrationSettings ? { purpose: 'migration' as const, migrationSettings } : {}
  await api.createFlag({ projectKey, body: { ...settings, ...migration } })
  return 'created'
}

/** Appends new values to the existing variations of a flag. No variation is removed. */
async function changeVariations(
  { api, projectKey }: WriteTarget,
  { key, variations }: ImportedFlag,
  existing: readonly ExistingVariation[],
): Promise<Outcome> {
  if (!variations) return 'unchanged'
  const body = differences({ variations: mergeVariations(variations, existing) }, { variations: existing })
  if (body.length === 0) return 'unchanged'
  await api.patchFlag({ projectKey, flagKey: key, body: patchOf(body) })
  return 'changed'
}

async function changeFlag({ api, projectKey }: WriteTarget, flag: ImportedFlag): Promise<Outcome> {
  const current = await api.getFlag({ projectKey, flagKey: flag.key })
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
  const commonProperties = { name, description, tags, temporary, archived, deprecated }
  const optionalProperties = {
    ...(customProperties ? { customProperties } : {}),
    ...(clientSideAvailability ? { clientSideAvailability } : {}),
  }
  const body = [
    ...Object.entries(flag.configs).flatMap(([environmentKey, config]) => {
      const { offVariation, ...remapped } = flag.variations
        ? remapConfig(config, flag.variations, current.variations)
        : config
      const currentConfig = current.environments?.[environmentKey] ?? {}
      return differences({ ...remapped, offVariation }, currentConfig, `/environments/${environmentKey}`)
    }),
    ...differences({ ...commonProperties, ...optionalProperties }, current),
  ]
  if (body.length === 0) return 'unchanged'
  await api.patchFlag({ projectKey, flagKey: flag.key, body: patchOf(body) })
  return 'changed'
}
