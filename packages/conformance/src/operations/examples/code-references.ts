import { type ExampleContext, type ExampleMakers, replaceValueAt } from '../example.ts'
import { newProject } from './projects.ts'

/** Time of the commits in the examples, integer ms. */
const committedAt = Date.UTC(2026, 0, 1)

async function newRepository({ call, newKey }: ExampleContext): Promise<Record<'repo', string>> {
  const repo = `group/${newKey()}`
  await call('createRepository', { body: { name: repo, type: 'github', sourceLink: 'https://example.com/repo' } })
  return { repo }
}

/** Creates a repository whose default branch refers to the flag `checkout` of a project. */
async function newBranch(context: ExampleContext) {
  const params = { ...(await newRepository(context)), branch: 'main' }
  const { projectKey } = await newProject(context)
  await context.call('putBranch', { params, body: branchOf(projectKey) })
  return { params, projectKey }
}

function branchOf(projKey: string) {
  const hunks = [{ startingLineNumber: 7, lines: "if (flag('checkout'))", projKey, flagKey: 'checkout', aliases: [] }]
  return { name: 'main', head: 'abc123', syncTime: committedAt, references: [{ path: 'src/shop.ts', hunks }] }
}

function extinctionOf(projKey: string) {
  return [{ revision: 'abc124', message: 'Remove the flag', time: committedAt, flagKey: 'checkout', projKey }]
}

export const codeReferenceExamples: ExampleMakers = {
  listRepositories: async (context) => {
    await newRepository(context)
    return { query: { limit: '3' } }
  },
  createRepository: ({ newKey }) => ({ body: { name: `group/${newKey()}`, type: 'gitlab', defaultBranch: 'trunk' } }),
  getRepository: async (context) => ({ params: await newRepository(context) }),
  patchRepository: async (context) => ({
    params: await newRepository(context),
    body: replaceValueAt('/enabled', false),
  }),
  deleteRepository: async (context) => ({ params: await newRepository(context) }),

  listBranches: async (context) => {
    const { repo } = (await newBranch(context)).params
    return { params: { repo } }
  },
  getBranch: async (context) => ({ params: (await newBranch(context)).params }),
  putBranch: async (context) => {
    const { params, projectKey } = await newBranch(context)
    return { params, body: { ...branchOf(projectKey), head: 'def456', updateSequenceId: 1 } }
  },
  deleteBranches: async (context) => {
    const { repo } = (await newBranch(context)).params
    return { params: { repo }, body: ['main', 'gone'] }
  },
  createExtinctions: async (context) => {
    const { params, projectKey } = await newBranch(context)
    return { params, body: extinctionOf(projectKey) }
  },
  listExtinctions: async (context) => {
    const { params, projectKey } = await newBranch(context)
    await context.call('createExtinctions', { params, body: extinctionOf(projectKey) })
    return { query: { projKey: projectKey, repoName: params.repo } }
  },
  getRootStatistics: async (context) => {
    await newBranch(context)
    return {}
  },
  getStatistics: async (context) => {
    const { projectKey } = await newBranch(context)
    return { params: { projectKey }, query: { flagKey: 'checkout' } }
  },
}
