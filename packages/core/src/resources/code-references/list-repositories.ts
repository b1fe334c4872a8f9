import * as v from 'valibot'
import { type Repository, repositories } from '../../models/code-references/repository.ts'
import type { ReadContext } from '../../operation/context.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { list, page } from '../../operation/schema.ts'
import { branches, referencesTo, summaryOf } from './branch.ts'
import { branchResponse, serializeBranch } from './branch-schema.ts'
import { repositoryObject, serializeRepository } from './repository-schema.ts'

/** Clients of the reference API turn the parameter on with any value. */
const anyValue = () => v.optional(v.string())

const listQuery = v.object({
  ...page(),
  withBranches: anyValue(),
  withReferencesForDefaultBranch: anyValue(),
  projKey: v.optional(v.string()),
  flagKey: v.optional(v.string()),
})

type ListQuery = v.InferOutput<typeof listQuery>

export const listRepositories = listOperation(repositories, {
  id: 'listRepositories',
  summary: 'List the repositories that the caller may view, by name',
  path: '/api/v2/code-refs/repositories',
  access: { open: true, why: 'the list omits what the caller may not view' },
  visible: 'viewCodeReferenceRepository',
  query: listQuery,
  response: v.object({ ...repositoryObject.entries, branches: v.optional(list(branchResponse)) }),
  async serialize(context, repository, _, query) {
    const [response, shownBranches] = await Promise.all([
      serializeRepository(context, repository),
      serializeBranches(context, repository, query),
    ])
    return shownBranches ? { ...response, branches: shownBranches } : response
  },
})

/** Maximum number of branches of a repository in a list. `listBranches` returns the others. */
const maxBranches = 100

/** Serializes the branches that a query requests; undefined when it requests none. */
async function serializeBranches(context: ReadContext, { name, defaultBranch }: Repository, query: ListQuery) {
  const { withBranches, withReferencesForDefaultBranch, projKey, flagKey } = query
  const withReferences = [withReferencesForDefaultBranch, flagKey].some((value) => value !== undefined)
  if (!withReferences && withBranches === undefined) return undefined
  const [{ items }, scanned] = await Promise.all([
    context.tx.listRows(branches, { repo: name }, { limit: maxBranches }),
    withReferences ? context.tx.get(branches, { repo: name, branch: defaultBranch }) : undefined,
  ])
  const selection = {
    ...(projKey === undefined ? {} : { projKey }),
    ...(flagKey === undefined ? {} : { flagKey }),
  }
  const references = scanned && referencesTo(scanned.references, selection)
  return items.map((row) => {
    const summary = summaryOf(row)
    return serializeBranch(context, name, summary, summary.name === defaultBranch ? references : undefined)
  })
}
