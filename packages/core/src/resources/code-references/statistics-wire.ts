import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { type Repository, repositoryTypes } from './repository.ts'
import { repositoryPath } from './repository-wire.ts'
import type { FlagCounts, Statistics } from './statistics.ts'

const statisticWire = v.object({
  _links: links(),
  name: v.string(),
  type: v.picklist(repositoryTypes),
  sourceLink: v.string(),
  defaultBranch: v.string(),
  enabled: v.boolean(),
  version: v.number(),
  hunkCount: v.number(),
  fileCount: v.number(),
  latestCommitTime: v.optional(timestamp()),
})

export const statisticsWire = v.object({
  _links: links(),
  flags: v.record(v.string(), list(statisticWire)),
})

/** Serializes the entry of one repository for one flag (D27). */
export function presentStatistic(
  context: ReadContext,
  repository: Repository,
  { latestCommitTime }: Statistics,
  { hunkCount, fileCount }: FlagCounts,
): v.InferOutput<typeof statisticWire> {
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
