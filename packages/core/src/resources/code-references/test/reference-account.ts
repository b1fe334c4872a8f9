import { createMemoryStorage } from '@halyard/storage-memory'
import type { CallInput } from '../../../entries/operations.ts'
import type { Statement } from '../../../entries/policy.ts'
import { type As, type CallOptions, createEngine, type EngineResponse } from '../../../index.ts'
import { engineRequest } from '../../account/test/calls.ts'
import type { Reference } from '../branch.ts'
import type { putBranch } from '../put-branch.ts'

export const now = Date.UTC(2028, 1, 29)
export const admin = { as: { role: 'admin' } } as const
export const base = '/api/v2/code-refs'

export const bodyOf = (response: EngineResponse) => JSON.parse(response.body as string)

export const allow = (actions: string[], resource: string): Statement => ({
  effect: 'allow',
  actions,
  resources: [resource],
})

export const asPolicy = (...policy: Statement[]): { as: As } => ({ as: { policy } })

export const hunk = (projKey: string, flagKey: string, startingLineNumber = 1) => ({
  projKey,
  flagKey,
  startingLineNumber,
})

/**
 * Two files. The first refers to `a` twice and the second once; `b` has one reference, and one hunk belongs to another
 * project.
 */
export const references: readonly Reference[] = [
  { path: 'src/one.ts', hint: 'ts', hunks: [hunk('web', 'a', 1), hunk('web', 'a', 9), hunk('mobile', 'a', 3)] },
  { path: 'src/two.ts', hunks: [{ ...hunk('web', 'a'), lines: 'if (a)', aliases: ['isA'] }, hunk('web', 'b', 4)] },
]

type Branch = CallInput<typeof putBranch>['body']

export type ReferenceAccount = Awaited<ReturnType<typeof referenceAccount>>

/** A branch of a repository. */
export interface BranchName {
  readonly repo: string
  readonly branch: string
}

/** Makes an account in memory with the projects `web` and `mobile`, and functions that scan repositories. */
export async function referenceAccount() {
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token: 'a-token-for-this-test' })
  for (const key of ['web', 'mobile']) await engine.api.createProject({ body: { key, name: key } }, admin)
  const statistics = (projectKey: string, flagKey?: string) =>
    engine.api.getStatistics(
      { projectKey, includeUnknownFlags: 'true', ...(flagKey === undefined ? {} : { flagKey }) },
      admin,
    )

  return {
    engine,
    statistics,
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      engine.handle(engineRequest(method, path, body, { authorization: 'a-token-for-this-test', ...headers })),
    create: (name: string, overrides: object = {}) =>
      engine.api.createRepository({ body: { name, ...overrides } }, admin),
    put(
      { repo, branch }: BranchName,
      references: readonly Reference[],
      overrides: Partial<Branch> = {},
      as: CallOptions = admin,
    ) {
      const body: Branch = { name: branch, head: 'abc123', syncTime: now, references, ...overrides }
      return engine.api.putBranch({ repo, branch, body }, as)
    },
    /** Returns `[hunks, files]` of each repository by flag key. */
    async counts(projectKey: string) {
      const { flags } = await statistics(projectKey)
      return Object.fromEntries(
        Object.entries(flags).map(([flagKey, list]) => [
          flagKey,
          Object.fromEntries(list.map((entry) => [entry.name, [entry.hunkCount, entry.fileCount]])),
        ]),
      )
    },
  }
}
