import type { ExampleContext, ExampleMakers } from '../example.ts'
import { newFlag } from './flags.ts'

const executionDate = 8_000_000_000_000

const stages = [
  {
    name: 'On',
    conditions: [
      { kind: 'schedule', scheduleKind: 'absolute', executionDate },
      { kind: 'ld-approval', description: 'Turn it on' },
    ],
    action: { instructions: [{ kind: 'turnFlagOn' }] },
  },
  {
    name: 'Off',
    conditions: [{ kind: 'schedule', scheduleKind: 'relative', waitDuration: 2, waitDurationUnit: 'calendarDay' }],
    action: { instructions: [{ kind: 'turnFlagOff' }] },
  },
]

const workflow = { name: 'On for two days', description: 'A trial', stages }

async function newFlagParams(context: ExampleContext): Promise<Record<string, string>> {
  return { ...(await newFlag(context)), environmentKey: 'production' }
}

async function newWorkflow(context: ExampleContext): Promise<Record<string, string>> {
  const params = await newFlagParams(context)
  const { _id } = await context.call<{ _id: string }>('postWorkflow', { params, body: workflow })
  return { ...params, workflowId: _id }
}

async function newTemplate(context: ExampleContext): Promise<string> {
  const key = context.newKey()
  await context.call('createWorkflowTemplate', { body: { key, name: 'On for two days', stages: stages.slice(1) } })
  return key
}

export const workflowExamples: ExampleMakers = {
  getWorkflows: async (context) => {
    const { workflowId: _, ...params } = await newWorkflow(context)
    return { params, query: { status: 'active', sort: '-creationDate', limit: '5' } }
  },
  postWorkflow: async (context) => ({ params: await newFlagParams(context), body: workflow }),
  getCustomWorkflow: async (context) => ({ params: await newWorkflow(context) }),
  deleteWorkflow: async (context) => ({ params: await newWorkflow(context) }),
  getWorkflowTemplates: async (context) => {
    await newTemplate(context)
    return { query: { search: 'two days' } }
  },
  createWorkflowTemplate: async (context) => ({
    body: { key: context.newKey(), name: 'On for two days', description: 'A trial', stages },
  }),
  deleteWorkflowTemplate: async (context) => ({ params: { templateKey: await newTemplate(context) } }),
}
