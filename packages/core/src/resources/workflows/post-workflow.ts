import * as v from 'valibot'
import type { Workflow, WorkflowKeys } from '../../models/workflows/workflow.ts'
import { workflows } from '../../models/workflows/workflow.ts'
import type { WorkflowCondition, WorkflowStage } from '../../models/workflows/workflow-stage.ts'
import { type WorkflowTemplate, workflowTemplates } from '../../models/workflows/workflow-template.ts'
import { jsonBody } from '../../operation/body.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { key, name, type Output, text } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { progressConditions } from '../../rules/workflow/stage-progress.ts'
import type { Writer } from '../../storage/writer.ts'
import { memberReference } from '../members/member-reference.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { continueStage, planTask } from './continue-stages.ts'
import { planStages } from './plan-stages.ts'
import { shownParameter } from './shown-parameters.ts'
import { type StageInput, stagesBody } from './stage-body.ts'
import { fillTemplate, parameterValues } from './template-parameters.ts'
import { undoCreation } from './undo-workflows.ts'
import { serializeWorkflow, workflowResponse } from './workflow-response.ts'

const workflowBody = v.strictObject({
  name: name(),
  description: v.optional(text()),
  /** Id of a member. Default: the caller. */
  maintainerId: v.optional(v.string()),
  /** Required without `templateKey`. */
  stages: v.optional(stagesBody),
  /** The key of the template, as in the query parameter with the same name. */
  templateKey: v.optional(key()),
  /** Values of the template that are replaced. */
  parameters: v.optional(parameterValues),
})

type WorkflowBody = Output<typeof workflowBody>

type CreateContext = Context<Writer, 'invalid_request' | 'forbidden' | 'not_found'>

export const postWorkflow = operation({
  id: 'postWorkflow',
  undo: [undoOf(workflows, undoCreation)],
  summary:
    'Create a workflow of a flag in an environment, from stages or from a template; its stages run with the rights that the caller has at that time',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows',
  query: v.object({ templateKey: v.optional(key()) }),
  body: jsonBody(workflowBody),
  success: { status: 201, body: workflowResponse },
  errors: ['invalid_request', 'forbidden', 'not_found'],
  access: {
    action: 'updateFeatureWorkflows',
    resource: workflows.policyTemplate,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, query, body }) {
    const { tx, caller } = context
    const host = context.useHost()
    const now = context.readClock()
    const templateKey = query.templateKey ?? body.templateKey
    await requireMaintainer(context, body)
    const template = templateKey === undefined ? undefined : await findTemplate(context, templateKey)
    const input = await stagesOf(context, params, body, template)
    const [first, ...others] = await planStages(context, params, input)
    const maintainerId = body.maintainerId ?? caller.memberId
    const planned = {
      id: host.newId(),
      name: body.name,
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(maintainerId === undefined ? {} : { maintainerId }),
      ...(templateKey === undefined ? {} : { templateKey }),
      stages: [startedStage(first as WorkflowStage, now), ...others],
      status: 'active',
      stage: 0,
      mandate: mandateOf(caller),
      createdAt: now,
    } as const satisfies Omit<Workflow, 'version'>
    const keys: WorkflowKeys = { ...params, workflowId: planned.id }
    const begun = await continueStage(context, keys, planned)
    const workflow = tx.insert(workflows, keys, planTask(context, keys, begun))
    context.setRevision(workflow.version, true)
    return { ...(await serializeWorkflow(context, workflow, params)), ...(template ? { meta: metaOf(template) } : {}) }
  },
})

function startedStage(stage: WorkflowStage, now: number): WorkflowStage {
  const started = { ...stage, startedAt: now }
  return { ...started, conditions: progressConditions<WorkflowCondition>(started, now, () => false) }
}

async function requireMaintainer({ tx, fail }: CreateContext, { maintainerId }: WorkflowBody): Promise<void> {
  if (maintainerId === undefined) return
  const errors = await validateReferences(tx, [memberReference('maintainerId', maintainerId)])
  if (errors.length > 0) fail('invalid_request', { errors })
}

/** Returns the stages in the request, or the stages of its template with the values of the request. */
async function stagesOf(
  context: CreateContext,
  params: Omit<WorkflowKeys, 'workflowId'>,
  { stages, parameters = [] }: WorkflowBody,
  template: WorkflowTemplate | undefined,
): Promise<readonly StageInput[]> {
  const refuse = refuseIn(context)
  if (!template) {
    if (parameters.length > 0) refuse('parameters', 'must not be given without templateKey')
    return stages ?? refuse('stages', 'must contain at least 1 stage')
  }
  if (stages) refuse('stages', 'must not be given together with templateKey')
  return fillTemplate(context, params, template, parameters)
}

async function findTemplate(context: CreateContext, templateKey: string): Promise<WorkflowTemplate> {
  const template = await context.tx.get(workflowTemplates, { templateKey })
  const isVisible = template && (await context.allowed('viewTemplate', workflowTemplates, { templateKey }, template))
  return template && isVisible ? template : refuseIn(context)('templateKey', 'must be the key of a workflow template')
}

function refuseIn({ fail }: CreateContext) {
  return (attribute: string, reason: string): never => fail('invalid_request', { errors: [{ attribute, reason }] })
}

function metaOf({ parameters, booleanVariations }: WorkflowTemplate) {
  return { parameters: parameters.map((each) => ({ ...shownParameter(each, booleanVariations), valid: true })) }
}
