import { type Repository, repositories } from '../../models/code-references/repository.ts'
import { type Statistics, statistics } from '../../models/code-references/statistics.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Branch, Reference } from './branch.ts'

/** Counts hunks and files by project and flag. */
function countReferences(references: readonly Reference[]): Map<string, Statistics['flags']> {
  const projects = new Map<string, Map<string, { hunkCount: number; files: Set<string> }>>()
  for (const { path, hunks } of references) {
    for (const { projKey, flagKey } of hunks) {
      const flags = entryOf(projects, projKey, () => new Map())
      const entry = entryOf(flags, flagKey, () => ({ hunkCount: 0, files: new Set<string>() }))
      entry.hunkCount++
      entry.files.add(path)
    }
  }
  return new Map([...projects].map(([projectKey, flags]) => [projectKey, countsOf(flags)]))
}

function countsOf(flags: ReadonlyMap<string, { hunkCount: number; files: ReadonlySet<string> }>): Statistics['flags'] {
  // `Object.fromEntries` is used, because a flag key can be `constructor`.
  return Object.fromEntries(
    [...flags].map(([flagKey, { hunkCount, files }]) => [flagKey, { hunkCount, fileCount: files.size }]),
  )
}

function entryOf<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = make()
  map.set(key, created)
  return created
}

/**
 * Rewrites the statistics of a repository, and removes the statistics of projects that are no longer referenced.
 *
 * @param branch the default branch as it will be stored; undefined when it does not exist.
 * @returns the new `projectKeys` of the repository, which the caller stores.
 */
export async function writeStatistics(
  tx: Writer,
  repository: Repository,
  branch: Pick<Branch, 'references' | 'commitTime'> | undefined,
): Promise<readonly string[]> {
  const counts = countReferences(branch?.references ?? [])
  const all = [...new Set([...repository.projectKeys, ...counts.keys()])]
  const keys = all.map((projectKey) => ({ projectKey, repo: repository.name }))
  const stored = await tx.getMany(statistics, keys)
  keys.forEach((statisticsKeys, i) => {
    const before = stored[i]
    const flags = counts.get(statisticsKeys.projectKey)
    if (!flags) {
      if (before) tx.remove(statistics, statisticsKeys, before)
      return
    }
    const commitTime = branch?.commitTime === undefined ? {} : { latestCommitTime: branch.commitTime }
    const content = { repo: repository.name, flags, ...commitTime }
    if (before) tx.follow(statistics, statisticsKeys, before, { ...content, version: before.version })
    else tx.insert(statistics, statisticsKeys, content)
  })
  return [...counts.keys()].sort()
}

/** Writes the statistics and the repository's `projectKeys`, and requires that the repository is unchanged. */
export async function saveStatistics(
  tx: Writer,
  repository: Repository,
  branch: Pick<Branch, 'references' | 'commitTime'> | undefined,
): Promise<void> {
  const projectKeys = await writeStatistics(tx, repository, branch)
  const statisticsKeys = { repo: repository.name }
  const after = tx.follow(repositories, statisticsKeys, repository, { ...repository, projectKeys })
  if (after === repository) tx.expect(repositories, statisticsKeys, repository)
}
