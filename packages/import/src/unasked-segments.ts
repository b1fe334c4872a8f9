import type { ApiError } from '@halyard/core'
import { isAsMade, madeTag } from './conditions/segment-pool.ts'
import { interruption } from './interruption.ts'
import type { MovedProject } from './moved-project.ts'
import { type Refusal, whyRefused } from './refusal.ts'
import type { WritePlace } from './write-place.ts'

/** The result of deleting unused segments. */
export interface DeletedSegments {
  readonly count: number
  /** Unused segments that the engine did not delete. */
  readonly refused: readonly Refusal[]
}

/**
 * Deletes the segments that an earlier import made in the environments of this one, that this one does not make, and that
 * nothing asks for any more. What flags, AI configs and other segments ask for, the engine keeps by itself.
 *
 * @throws Interruption when it is interrupted: the flags are written by then.
 */
export async function deleteUnaskedSegments(
  { environments, segments }: Pick<MovedProject, 'environments' | 'segments'>,
  place: WritePlace,
  signal?: AbortSignal,
): Promise<DeletedSegments> {
  let count = 0
  const refused: Refusal[] = []
  for (const { key: environmentKey } of environments) {
    const wanted = new Set(segments.filter((one) => one.environmentKey === environmentKey).map(({ key }) => key))
    const made = (await madeSegments(place, environmentKey)).filter(({ key }) => !wanted.has(key))
    const asked = made.length > 0 ? await keysInPipelines(place, environmentKey) : new Set()
    let waiting = made.filter(({ key }) => !asked.has(key))
    // A segment may refer to another one, so deleting one may make the next deletable: repeats while segments are
    // deleted.
    for (let before = waiting.length + 1; waiting.length < before; ) {
      before = waiting.length
      const kept: MadeSegment[] = []
      for (const segment of waiting) {
        if (signal?.aborted) throw interruption('flags are written; run the import again to continue')
        const outcome = await tryToDelete(place, environmentKey, segment)
        if (outcome === 'deleted') count++
        else if (outcome === 'in use') kept.push(segment)
        else refused.push(outcome)
      }
      waiting = kept
    }
  }
  return { count, refused }
}

interface MadeSegment {
  readonly key: string
  readonly version: number
}

/** Returns the segments that are unchanged since an import created them. */
async function madeSegments({ api, projectKey }: WritePlace, environmentKey: string): Promise<MadeSegment[]> {
  const filter = `tags anyOf ["${madeTag}"]`
  const made: MadeSegment[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { items, totalCount } = await api.listSegments({
      projectKey,
      environmentKey,
      filter,
      limit: pageSize,
      offset,
    })
    made.push(...items.filter(isAsMade))
    if (offset + pageSize >= totalCount) return made
  }
}

const pageSize = 100

/** Returns the segments of an environment that releases use, because the deletion of a segment does not check these. */
async function keysInPipelines({ api, projectKey }: WritePlace, environmentKey: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const { items, totalCount } = await api.listReleasePipelines({ projectKey, limit: pageSize, offset })
    const audiences = items.flatMap(({ phases }) => phases.flatMap((phase) => phase.audiences))
    for (const { environment, segmentKeys } of audiences) {
      if (environment?.key === environmentKey) for (const key of segmentKeys) keys.add(key)
    }
    if (offset + pageSize >= totalCount) return keys
  }
}

/** A segment that another client has changed or referred to concurrently is kept. */
async function tryToDelete(
  { api, projectKey }: WritePlace,
  environmentKey: string,
  { key, version }: MadeSegment,
): Promise<'deleted' | 'in use' | Refusal> {
  try {
    await api.deleteSegment({ projectKey, environmentKey, segmentKey: key }, { ifMatch: `"${version}"` })
    return 'deleted'
  } catch (error) {
    const { code } = error as Partial<ApiError>
    if (code === 'not_found') return 'deleted'
    if (code === 'optimistic_locking_error') return 'in use'
    return { what: `segment ${key} in ${environmentKey}`, why: whyRefused(error) }
  }
}
