import type { ExampleMakers, Examples } from '../example.ts'
import { newAIConfigIn } from './ai-configs.ts'
import { newProject } from './projects.ts'

const edges = [{ key: 'to-billing', sourceConfig: 'triage', targetConfig: 'billing', handoff: { tone: 'formal' } }]

/** Creates a project with the agents that a graph can contain. */
async function newAgents(world: Examples): Promise<Record<'projectKey', string>> {
  const project = await newProject(world)
  for (const key of ['triage', 'billing']) await newAIConfigIn(world, project, { key, mode: 'agent' })
  return project
}

async function newAgentGraph(world: Examples): Promise<Record<'projectKey' | 'graphKey', string>> {
  const { projectKey } = await newAgents(world)
  const graphKey = world.fresh()
  const body = { key: graphKey, name: 'Support', rootConfigKey: 'triage', edges }
  await world.call('createAgentGraph', { params: { projectKey }, body })
  return { projectKey, graphKey }
}

async function newPromptSnippet(world: Examples): Promise<Record<'projectKey' | 'snippetKey', string>> {
  const { projectKey } = await newProject(world)
  const snippetKey = world.fresh()
  const body = { key: snippetKey, name: 'Tone', text: 'Be kind.' }
  await world.call('createPromptSnippet', { params: { projectKey }, body })
  return { projectKey, snippetKey }
}

async function newAgentSkill(world: Examples): Promise<Record<'projectKey' | 'skillKey', string>> {
  const { projectKey } = await newProject(world)
  const skillKey = world.fresh()
  const body = { key: skillKey, name: 'Refunds', markdown: '# Refunds' }
  await world.call('createAgentSkill', { params: { projectKey }, body })
  return { projectKey, skillKey }
}

export const agentExamples: ExampleMakers = {
  listAgentGraphs: async (world) => {
    const { projectKey } = await newAgentGraph(world)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentGraph: async (world) => ({
    params: await newAgents(world),
    body: { key: world.fresh(), name: 'Support', description: 'Who helps', rootConfigKey: 'triage', edges },
  }),
  getAgentGraph: async (world) => ({ params: await newAgentGraph(world) }),
  patchAgentGraph: async (world) => ({ params: await newAgentGraph(world), body: { name: 'Help' } }),
  deleteAgentGraph: async (world) => ({ params: await newAgentGraph(world) }),

  listPromptSnippets: async (world) => {
    const { projectKey } = await newPromptSnippet(world)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createPromptSnippet: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Tone', description: 'How to speak', text: 'Be kind.', tags: ['style'] },
  }),
  getPromptSnippet: async (world) => ({ params: await newPromptSnippet(world) }),
  patchPromptSnippet: async (world) => ({ params: await newPromptSnippet(world), body: { text: 'Be brief.' } }),
  deletePromptSnippet: async (world) => ({ params: await newPromptSnippet(world) }),
  listPromptSnippetVersions: async (world) => ({ params: await newPromptSnippet(world), query: { limit: '1' } }),

  listAgentSkills: async (world) => {
    const { projectKey } = await newAgentSkill(world)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentSkill: async (world) => ({
    params: await newProject(world),
    body: { key: world.fresh(), name: 'Refunds', description: 'How to refund', markdown: '# Refunds', tags: ['shop'] },
  }),
  getAgentSkill: async (world) => ({ params: await newAgentSkill(world) }),
  patchAgentSkill: async (world) => ({ params: await newAgentSkill(world), body: { markdown: '# Returns' } }),
  deleteAgentSkill: async (world) => ({ params: await newAgentSkill(world) }),
  listAgentSkillVersions: async (world) => ({ params: await newAgentSkill(world), query: { limit: '1' } }),
}
