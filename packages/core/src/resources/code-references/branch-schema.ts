import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { key, links, list, moment, timestamp } from '../../operation/schema.ts'
import type { BranchSummary, Reference } from './branch.ts'

/** Maximum number of projects that a branch can refer to: each project gets its own statistics. */
const maxProjects = 1000

const shortText = (max: number) => v.pipe(v.string(), v.maxLength(max, `must have at most ${max} characters`))

const count = () => v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

/** Name of a branch. It is a part of paths, so it must not contain control characters. */
export const branchName = () =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  v.pipe(v.string(), v.regex(/^[^\u0000-\u001f\u007f]{1,256}$/u, 'must be 1 to 256 printable characters'))

const hunk = v.strictObject({
  startingLineNumber: count(),
  lines: v.optional(v.string()),
  projKey: key(),
  flagKey: key(),
  aliases: v.optional(list(shortText(1000))),
  contentHash: v.optional(shortText(256)),
})

const reference = v.strictObject({
  path: v.pipe(shortText(4096), v.minLength(1, 'must not be empty')),
  hint: v.optional(shortText(256)),
  hunks: list(hunk),
})

/** Request body with the result of the scan of a branch. */
export const branchRequest = v.strictObject({
  name: branchName(),
  head: v.pipe(shortText(256), v.minLength(1, 'must not be empty')),
  updateSequenceId: v.optional(count()),
  syncTime: moment(),
  commitTime: v.optional(moment()),
  references: v.optional(
    v.pipe(
      list(reference),
      v.check(
        (references) => projectsIn(references) <= maxProjects,
        `must not refer to more than ${maxProjects} projects`,
      ),
    ),
    [],
  ),
})

function projectsIn(references: readonly Reference[]): number {
  return new Set(references.flatMap((reference) => reference.hunks.map((hunk) => hunk.projKey))).size
}

const branchObject = v.object({
  _links: links(),
  name: v.string(),
  head: v.string(),
  updateSequenceId: v.optional(v.number()),
  syncTime: timestamp(),
  commitTime: v.optional(timestamp()),
  references: v.optional(list(reference)),
})

/** A branch of a repository in a response. */
export interface BranchResponse extends v.InferOutput<typeof branchObject> {}

export const branchResponse: v.GenericSchema<BranchResponse> = branchObject

/**
 * Serializes a branch.
 *
 * @param references the references in the branch, for responses that contain them. They can have a size of a megabyte.
 */
export function serializeBranch(
  context: Pick<ReadContext, 'format'>,
  repo: string,
  branch: BranchSummary,
  references?: readonly Reference[],
): BranchResponse {
  const { name, head, updateSequenceId, syncTime, commitTime } = branch
  const repository = path`/api/v2/code-refs/repositories/${repo}`
  const branches = `${repository}/branches`
  return {
    _links: {
      ...selfAndParent(`${branches}${path`/${name}`}`, branches),
      repository: linkTo(repository),
    },
    name,
    head,
    ...(updateSequenceId === undefined ? {} : { updateSequenceId }),
    syncTime: context.format.time(syncTime),
    ...(commitTime === undefined ? {} : { commitTime: context.format.time(commitTime) }),
    ...(references ? { references } : {}),
  }
}
