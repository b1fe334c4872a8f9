import type { ApiError } from '@halyard/core'
import { importTag, isUnchangedSinceImport } from './conditions/segment-pool.ts'
import type { ImportedProject } from './imported-project.ts'
import { interruption } from './interruption.ts'
import { type Refusal, refusalReason } from './refusal.ts'
import type { WriteTarget } from './write-target.ts'

/** The result of deleting unused segments. */
export interface DeletedSegments {
  readonly count: number
  /** Unused segments that the engine did not delete. */
  readonly refused: readonly Refusal[]
}

/**
 * Deletes segments that an earlier import created in the environments of this import, that this import does not create,
 * and that no flag, AI config, segment or release pipeline uses. The engine itself refuses to delete a segment that a
 * flag, AI config or other segment uses.
 *
 * @throws Interruption when it is aborted: the flags are written by then.
 */
export async function deleteUnusedSegments(
  { environments, segments }: Pick<ImportedProject, 'environments' | 'segments'>,
  target: WriteTarget,
  signal?: AbortSignal,
): Promise<DeletedSegments> {
  let count = 0
  const refused: Refusal[] = []
  for (const { key: environmentKey } of environments) {
    const currentKeys = new Set(
      segments.filter((segment) => segment.environmentKey === environmentKey).map(({ key }) => key),
    )
    const imported = (await unchangedImportedSegments(target, environmentKey)).filter(
      ({ key }) => !currentKeys.has(key),
    )
    const usedByPipelines = imported.length > 0 ? await keysInPipelines(target, environmentKey) : new Set()
    let pending = imported.filter(({ key }) => !usedByPipelines.has(key))
    // A segment may refer to another segment, which can be deleted only afterwards. So this repeats while it deletes
    // segments.
    for (let previousCount = pending.length + 1; pending.length < previousCount; ) {
      previousCount = pending.length
      const stillInUse: SegmentVersion[] = []
      for (const segment of pending) {
        if (signal?.aborted) throw interruption('flags are written; run the import again to continue')
        const outcome = await tryToDelete(target, environmentKey, segment)
        if (outcome === 'deleted') count++
        else if (outcome === 'in use') stillInUse.push(segment)
        else refused.push(outcome)
      }
      pending = stillInUse
    }
  }
  return { count, refused }
}

interface SegmentVersion {
  readonly key: string
  readonly version: number
}

/** Returns the segments that are unchanged since an import created them. */
async function unchangedImportedSegments(
  { api, projectKey }: WriteTarget,
  environmentKey: string,
): Promise<SegmentVersion[]> {
  const filter = `tags anyOf ["${importTag}"]`
  const imported: SegmentVersion[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { items, totalCount } = await api.listSegments({
      projectKey,
      environmentKey,
      filter,
      limit: pageSize,
      offset,
    })
    imported.push(...items.filter(isUnchangedSinceImport))
    if (offset + pageSize >= totalCount) return imported
  }
}

const pageSize = 100

/** Returns the segments of an environment that releases use, because the deletion of a segment does not check these. */
async function keysInPipelines({ api, projectKey }: WriteTarget, environmentKey: string): Promise<ReadonlySet<string>> {
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

/** Deletes a segment unless another client has changed it or refers to it by now. */
async function tryToDelete(
  { api, projectKey }: WriteTarget,
  environmentKey: string,
  { key, version }: SegmentVersion,
): Promise<'deleted' | 'in use' | Refusal> {
  try {
    await api.deleteSegment({ projectKey, environmentKey, segmentKey: key }, { ifMatch: `"${version}"` })
    return 'deleted'
  } catch (error) {
    const { code } = error as Partial<ApiError>
    if (code === 'not_found') return 'deleted'
    if (code === 'optimistic_locking_error') return 'in use'
    return { what: `segment ${key} in ${environmentKey}`, why: refusalReason(error) }
  }
}
