import { type ExampleMakers, type Examples, replacing } from '../example.ts'
import { newProject } from './projects.ts'

/** Time of the commits in the examples, integer ms. */
const committed = Date.UTC(2026, 0, 1)

async function newRepository({ call, fresh }: Examples): Promise<Record<'repo', string>> {
  const repo = `group/${fresh()}`
  await call('createRepository', { body: { name: repo, type: 'github', sourceLink: 'https://example.com/repo' } })
  return { repo }
}

/** Creates a repository whose default branch refers to the flag `checkout` of a project. */
async function newBranch(world: Examples) {
  const params = { ...(await newRepository(world)), branch: 'main' }
  const { projectKey } = await newProject(world)
  await world.call('putBranch', { params, body: branchOf(projectKey) })
  return { params, projectKey }
}

function branchOf(projKey: string) {
  const hunks = [{ startingLineNumber: 7, lines: "if (flag('checkout'))", projKey, flagKey: 'checkout', aliases: [] }]
  return { name: 'main', head: 'abc123', syncTime: committed, references: [{ path: 'src/shop.ts', hunks }] }
}

function extinctionOf(projKey: string) {
  return [{ revision: 'abc124', message: 'Remove the flag', time: committed, flagKey: 'checkout', projKey }]
}

export const codeReferenceExamples: ExampleMakers = {
  listRepositories: async (world) => {
    await newRepository(world)
    return { query: { limit: '3' } }
  },
  createRepository: ({ fresh }) => ({ body: { name: `group/${fresh()}`, type: 'gitlab', defaultBranch: 'trunk' } }),
  getRepository: async (world) => ({ params: await newRepository(world) }),
  patchRepository: async (world) => ({ params: await newRepository(world), body: replacing('/enabled', false) }),
  deleteRepository: async (world) => ({ params: await newRepository(world) }),

  listBranches: async (world) => {
    const { repo } = (await newBranch(world)).params
    return { params: { repo } }
  },
  getBranch: async (world) => ({ params: (await newBranch(world)).params }),
  putBranch: async (world) => {
    const { params, projectKey } = await newBranch(world)
    return { params, body: { ...branchOf(projectKey), head: 'def456', updateSequenceId: 1 } }
  },
  deleteBranches: async (world) => {
    const { repo } = (await newBranch(world)).params
    return { params: { repo }, body: ['main', 'gone'] }
  },
  createExtinctions: async (world) => {
    const { params, projectKey } = await newBranch(world)
    return { params, body: extinctionOf(projectKey) }
  },
  listExtinctions: async (world) => {
    const { params, projectKey } = await newBranch(world)
    await world.call('createExtinctions', { params, body: extinctionOf(projectKey) })
    return { query: { projKey: projectKey, repoName: params.repo } }
  },
  getRootStatistics: async (world) => {
    await newBranch(world)
    return {}
  },
  getStatistics: async (world) => {
    const { projectKey } = await newBranch(world)
    return { params: { projectKey }, query: { flagKey: 'checkout' } }
  },
}
