import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newAIConfigIn } from './ai-configs.ts'
import { newProject } from './projects.ts'

const edges = [{ key: 'to-billing', sourceConfig: 'triage', targetConfig: 'billing', handoff: { tone: 'formal' } }]

/** Creates a project with the agents that a graph can contain. */
async function newAgents(context: ExampleContext): Promise<Record<'projectKey', string>> {
  const project = await newProject(context)
  for (const key of ['triage', 'billing']) await newAIConfigIn(context, project, { key, mode: 'agent' })
  return project
}

async function newAgentGraph(context: ExampleContext): Promise<Record<'projectKey' | 'graphKey', string>> {
  const { projectKey } = await newAgents(context)
  const graphKey = context.newKey()
  const body = { key: graphKey, name: 'Support', rootConfigKey: 'triage', edges }
  await context.call('createAgentGraph', { params: { projectKey }, body })
  return { projectKey, graphKey }
}

async function newPromptSnippet(context: ExampleContext): Promise<Record<'projectKey' | 'snippetKey', string>> {
  const { projectKey } = await newProject(context)
  const snippetKey = context.newKey()
  const body = { key: snippetKey, name: 'Tone', text: 'Be kind.' }
  await context.call('createPromptSnippet', { params: { projectKey }, body })
  return { projectKey, snippetKey }
}

async function newAgentSkill(context: ExampleContext): Promise<Record<'projectKey' | 'skillKey', string>> {
  const { projectKey } = await newProject(context)
  const skillKey = context.newKey()
  const body = { key: skillKey, name: 'Refunds', markdown: '# Refunds' }
  await context.call('createAgentSkill', { params: { projectKey }, body })
  return { projectKey, skillKey }
}

export const agentExamples: ExampleMakers = {
  listAgentGraphs: async (context) => {
    const { projectKey } = await newAgentGraph(context)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentGraph: async (context) => ({
    params: await newAgents(context),
    body: { key: context.newKey(), name: 'Support', description: 'Who helps', rootConfigKey: 'triage', edges },
  }),
  getAgentGraph: async (context) => ({ params: await newAgentGraph(context) }),
  patchAgentGraph: async (context) => ({ params: await newAgentGraph(context), body: { name: 'Help' } }),
  deleteAgentGraph: async (context) => ({ params: await newAgentGraph(context) }),

  listPromptSnippets: async (context) => {
    const { projectKey } = await newPromptSnippet(context)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createPromptSnippet: async (context) => ({
    params: await newProject(context),
    body: { key: context.newKey(), name: 'Tone', description: 'How to speak', text: 'Be kind.', tags: ['style'] },
  }),
  getPromptSnippet: async (context) => ({ params: await newPromptSnippet(context) }),
  patchPromptSnippet: async (context) => ({ params: await newPromptSnippet(context), body: { text: 'Be brief.' } }),
  deletePromptSnippet: async (context) => ({ params: await newPromptSnippet(context) }),
  listPromptSnippetVersions: async (context) => ({ params: await newPromptSnippet(context), query: { limit: '1' } }),
  listPromptSnippetReferences: async (context) => {
    const params = await newPromptSnippet(context)
    const messages = [{ role: 'system', content: `{{> ${params.snippetKey}@1 }}` }]
    await newAIConfigIn(context, params, { defaultVariation: { key: 'plain', name: 'Plain', messages } })
    return { params, query: { limit: '5' } }
  },

  listAgentSkills: async (context) => {
    const { projectKey } = await newAgentSkill(context)
    return { params: { projectKey }, query: { limit: '1' } }
  },
  createAgentSkill: async (context) => ({
    params: await newProject(context),
    body: {
      key: context.newKey(),
      name: 'Refunds',
      description: 'How to refund',
      markdown: '# Refunds',
      tags: ['shop'],
    },
  }),
  getAgentSkill: async (context) => ({ params: await newAgentSkill(context) }),
  patchAgentSkill: async (context) => ({ params: await newAgentSkill(context), body: { markdown: '# Returns' } }),
  deleteAgentSkill: async (context) => ({ params: await newAgentSkill(context) }),
  listAgentSkillVersions: async (context) => ({ params: await newAgentSkill(context), query: { limit: '1' } }),
  listAgentSkillReferences: async (context) => {
    const params = await newAgentSkill(context)
    const skills = [{ key: params.skillKey, version: 1 }]
    await newAIConfigIn(context, params, { defaultVariation: { key: 'plain', name: 'Plain', skills } })
    return { params, query: { limit: '5' } }
  },
}
