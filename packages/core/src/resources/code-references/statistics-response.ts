import * as v from 'valibot'
import { type Repository, repositoryTypes } from '../../models/code-references/repository.ts'
import type { FlagCounts, Statistics } from '../../models/code-references/statistics.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo } from '../../operation/link.ts'
import { links, list, storedOnly, timestamp } from '../../operation/schema.ts'
import { repositoryPath } from './repository-schema.ts'

const statisticResponse = v.object({
  _links: links(),
  name: v.string(),
  type: v.picklist(repositoryTypes),
  sourceLink: v.string(),
  defaultBranch: v.string(),
  enabled: storedOnly(v.boolean()),
  version: v.number(),
  hunkCount: v.number(),
  fileCount: v.number(),
  latestCommitTime: v.optional(timestamp()),
})

export const statisticsResponse = v.object({
  _links: links(),
  flags: v.record(v.string(), list(statisticResponse)),
})

/**
 * Serializes the entry of one repository for one flag
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d27-code-references).
 */
export function serializeStatistic(
  context: ReadContext,
  repository: Repository,
  { latestCommitTime }: Statistics,
  { hunkCount, fileCount }: FlagCounts,
): v.InferOutput<typeof statisticResponse> {
  const { name, type, sourceLink, defaultBranch, enabled, version } = repository
  return {
    _links: { self: linkTo(repositoryPath(name)) },
    name,
    type,
    sourceLink,
    defaultBranch,
    enabled,
    version,
    hunkCount,
    fileCount,
    ...(latestCommitTime === undefined ? {} : { latestCommitTime: context.format.time(latestCommitTime) }),
  }
}
