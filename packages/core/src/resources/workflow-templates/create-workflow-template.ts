import * as v from 'valibot'
import { type Flag, flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { workflows } from '../../models/workflows/workflow.ts'
import type {
  TemplateCondition,
  TemplateStage,
  WorkflowCondition,
  WorkflowStage,
} from '../../models/workflows/workflow-stage.ts'
import { workflowTemplates } from '../../models/workflows/workflow-template.ts'
import type { Context } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key, name, type Output, text } from '../../operation/schema.ts'
import type { Writer } from '../../storage/writer.ts'
import { newStages } from '../workflows/plan-stages.ts'
import { stagesBody } from '../workflows/stage-body.ts'
import { booleanVariationsOf, parametersOf } from '../workflows/template-parameters.ts'
import { serializeTemplate, templateResponse } from './template-response.ts'

const templateBody = v.strictObject({
  key: key(),
  name: v.optional(name()),
  description: v.optional(text()),
  /**
   * The workflow from whose stages the template is made. It is found by `projectKey`, `environmentKey` and `flagKey`.
   */
  workflowId: v.optional(v.string()),
  /** The stages of the template. Required without `workflowId`. */
  stages: v.optional(stagesBody),
  projectKey: v.optional(key()),
  environmentKey: v.optional(key()),
  flagKey: v.optional(key()),
})

type TemplateBody = Output<typeof templateBody>

type CreateContext = Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>

export const createWorkflowTemplate = createOperation(workflowTemplates, {
  id: 'createWorkflowTemplate',
  summary: 'Create a workflow template from stages or from the stages of a workflow',
  path: '/api/v2/templates',
  access: { action: 'createTemplate', resource: 'template/{body.key}' },
  body: templateBody,
  async make(context, body) {
    const { caller } = context
    const host = context.useHost()
    const createdAt = context.readClock()
    const { flag, stages } = await sourceOf(context, body)
    const booleanVariations = booleanVariationsOf(flag)
    return {
      id: host.newId(),
      key: body.key,
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(caller.memberId === undefined ? {} : { maintainerId: caller.memberId }),
      stages,
      parameters: parametersOf(context, stages),
      ...(booleanVariations ? { booleanVariations } : {}),
      createdAt,
    }
  },
  response: templateResponse,
  serialize: (context, template) => serializeTemplate(context, template),
})

interface Source {
  readonly flag: Flag | undefined
  readonly stages: readonly TemplateStage[]
}

/** Returns the stages in the request, or the stages of the workflow that the request names, with their flag. */
async function sourceOf(context: CreateContext, body: TemplateBody): Promise<Source> {
  const { workflowId, stages } = body
  const refuse = (attribute: string, reason: string): never =>
    context.fail('invalid_request', { errors: [{ attribute, reason }] })
  const flag = await findFlag(context, body)
  if (workflowId === undefined) {
    const created = newStages(context, stages ?? refuse('stages', 'must contain at least 1 stage'))
    return { flag, stages: created.map(templateStage) }
  }
  if (stages) refuse('stages', 'must not be given together with workflowId')
  const { projectKey, environmentKey, flagKey } = body
  if (projectKey === undefined || environmentKey === undefined || flagKey === undefined) {
    return refuse('workflowId', 'must be given with projectKey, environmentKey and flagKey')
  }
  const workflow = flag && (await context.tx.get(workflows, { projectKey, environmentKey, flagKey, workflowId }))
  if (!workflow) return refuse('workflowId', 'must be the id of a workflow of the flag')
  const host = context.useHost()
  const copied = workflow.stages.map((stage) => ({
    ...stage,
    id: host.newId(),
    conditions: stage.conditions.map((condition) => ({ ...condition, id: host.newId() })),
  }))
  return { flag, stages: copied.map(templateStage) }
}

/** Returns the flag that a request names, if the caller may view its project. */
async function findFlag(context: CreateContext, { projectKey, flagKey }: TemplateBody): Promise<Flag | undefined> {
  if (projectKey === undefined || flagKey === undefined) return undefined
  const isVisible = await context.allowed('viewProject', projects, { projectKey })
  const flag = isVisible ? await context.tx.get(flags, { projectKey, flagKey }) : undefined
  if (flag) return flag
  const errors = [{ attribute: 'flagKey', reason: 'must be the key of a flag of the project' }]
  return context.fail('invalid_request', { errors })
}

function templateStage({
  id,
  name,
  executeConditionsInSequence,
  conditions,
  instructions,
}: WorkflowStage): TemplateStage {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(executeConditionsInSequence ? { executeConditionsInSequence } : {}),
    conditions: conditions.map(templateCondition),
    instructions,
  }
}

/** Returns a condition without its state and without a date. */
function templateCondition(condition: WorkflowCondition): TemplateCondition {
  const { id } = condition
  if (condition.kind === 'ld-approval') {
    const { kind, description, notifyMemberIds, notifyTeamKeys } = condition
    return { id, kind, ...(description === undefined ? {} : { description }), notifyMemberIds, notifyTeamKeys }
  }
  const { kind } = condition
  if (condition.scheduleKind === 'absolute') return { id, kind, scheduleKind: 'absolute' }
  const { scheduleKind, waitDuration, waitDurationUnit } = condition
  return { id, kind, scheduleKind, waitDuration, waitDurationUnit }
}
