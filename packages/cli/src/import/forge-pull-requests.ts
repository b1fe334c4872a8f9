import * as v from 'valibot'

/** A time as forges write it (ISO 8601), as integer ms. */
const time = () =>
  v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
    v.transform((text) => Date.parse(text)),
  )

/** A pull request as `gh pr list --json …` prints it. Fields that were not requested are absent. */
const githubPullRequest = v.object({
  number: v.number(),
  url: v.string(),
  title: v.optional(v.string()),
  state: v.picklist(['OPEN', 'CLOSED', 'MERGED']),
  createdAt: time(),
  author: v.nullish(v.object({ login: v.optional(v.string()) })),
  mergedAt: v.nullish(time()),
  closedAt: v.nullish(time()),
  updatedAt: v.optional(time()),
  additions: v.optional(v.number()),
  deletions: v.optional(v.number()),
  changedFiles: v.optional(v.number()),
  mergeCommit: v.nullish(v.object({ oid: v.string() })),
  commits: v.optional(v.array(v.object({ oid: v.string(), authoredDate: time(), committedDate: v.optional(time()) }))),
})

/** A merge request as `glab mr list --output json` prints it. */
const gitlabMergeRequest = v.object({
  iid: v.number(),
  web_url: v.string(),
  title: v.optional(v.string()),
  state: v.picklist(['opened', 'closed', 'locked', 'merged']),
  created_at: time(),
  author: v.nullish(v.object({ username: v.optional(v.string()) })),
  merged_at: v.nullish(time()),
  closed_at: v.nullish(time()),
  updated_at: v.optional(time()),
  merge_commit_sha: v.nullish(v.string()),
  squash_commit_sha: v.nullish(v.string()),
})

/**
 * Reads one pull request of the JSON that command lines of forges print.
 *
 * @returns the input of `createPullRequests`, or the reason why the value is invalid.
 */
export function forgePullRequest(value: unknown) {
  const isGitlab = typeof value === 'object' && value !== null && 'iid' in value
  return isGitlab ? readAs(gitlabMergeRequest, fromGitlab, value) : readAs(githubPullRequest, fromGithub, value)
}

function readAs<S extends v.GenericSchema, T>(
  schema: S,
  convert: (pullRequest: v.InferOutput<S>) => T,
  value: unknown,
) {
  const read = v.safeParse(schema, value)
  return read.success ? convert(read.output) : errorOf(read.issues[0])
}

export type ForgePullRequest = Exclude<ReturnType<typeof forgePullRequest>, string>

function errorOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue)
  return path === null
    ? 'must be a pull request'
    : `${path} ${issue.received === 'undefined' ? 'is missing' : 'is invalid'}`
}

function fromGithub(pullRequest: v.InferOutput<typeof githubPullRequest>) {
  const repositoryKey = repositoryOf(pullRequest.url, /\/pull\/\d+/)
  const state = pullRequest.state === 'OPEN' ? 'open' : pullRequest.state === 'MERGED' ? 'merged' : 'closed'
  if (state === 'merged' && !pullRequest.mergedAt) return 'mergedAt is missing: request it with --json'
  return {
    externalId: `${repositoryKey}#${pullRequest.number}`,
    repositoryKey,
    title: truncateTitle(pullRequest.title),
    url: pullRequest.url,
    author: pullRequest.author?.login || undefined,
    state,
    openedAt: pullRequest.createdAt,
    mergedAt: state === 'merged' ? (pullRequest.mergedAt ?? undefined) : undefined,
    closedAt: pullRequest.closedAt ?? undefined,
    updatedAt: pullRequest.updatedAt,
    filesChanged: pullRequest.changedFiles,
    linesAdded: pullRequest.additions,
    linesDeleted: pullRequest.deletions,
    mergeCommitId: pullRequest.mergeCommit?.oid,
    commits: pullRequest.commits?.slice(0, 1000).map(({ oid, authoredDate, committedDate }) => ({
      externalId: oid,
      authoredAt: authoredDate,
      committedAt: committedDate,
    })),
  } as const
}

function fromGitlab(pullRequest: v.InferOutput<typeof gitlabMergeRequest>) {
  const repositoryKey = repositoryOf(pullRequest.web_url, /\/-\/merge_requests\/\d+/)
  const state = pullRequest.state === 'merged' || pullRequest.state === 'closed' ? pullRequest.state : 'open'
  if (state === 'merged' && !pullRequest.merged_at) return 'merged_at is missing'
  return {
    externalId: `${repositoryKey}!${pullRequest.iid}`,
    repositoryKey,
    title: truncateTitle(pullRequest.title),
    url: pullRequest.web_url,
    author: pullRequest.author?.username || undefined,
    state,
    openedAt: pullRequest.created_at,
    mergedAt: state === 'merged' ? (pullRequest.merged_at ?? undefined) : undefined,
    closedAt: pullRequest.closed_at ?? undefined,
    updatedAt: pullRequest.updated_at,
    mergeCommitId: pullRequest.merge_commit_sha ?? pullRequest.squash_commit_sha ?? undefined,
  } as const
}

/** Returns the path of the repository in the address of a pull request, e.g. `owner/name`. */
function repositoryOf(url: string, end: RegExp): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return path.replace(/^\//, '').split(end)[0] || 'repository'
}

function truncateTitle(title: string | undefined): string | undefined {
  return title?.slice(0, 1000)
}
