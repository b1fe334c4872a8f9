import * as v from 'valibot'
import type { TemplateCondition } from '../../models/workflows/workflow-stage.ts'
import type { TemplateParameter, WorkflowTemplate } from '../../models/workflows/workflow-template.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { shownParameter, shownParameters } from '../workflows/shown-parameters.ts'
import { type StageResponse, stageResponse } from '../workflows/stage-response.ts'

export const templateResponse = v.object({
  _id: v.string(),
  _key: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  _creationDate: timestamp(),
  _ownerId: v.optional(v.string()),
  _maintainerId: v.optional(v.string()),
  /** Absent in a summary. */
  stages: v.optional(list(stageResponse)),
  /** Values that a new workflow can replace. Absent in a summary. */
  parameters: v.optional(shownParameters),
  _links: links(),
})

type TemplateResponse = v.InferOutput<typeof templateResponse>

/** Serializes a template, with its stages unless only a summary is requested. */
export function serializeTemplate(
  { format }: Pick<ReadContext, 'format'>,
  template: WorkflowTemplate,
  { summary = false } = {},
): TemplateResponse {
  const { id, key, name, description, maintainerId, createdAt } = template
  return {
    _id: id,
    _key: key,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    _creationDate: format.time(createdAt),
    ...(maintainerId === undefined ? {} : { _ownerId: maintainerId, _maintainerId: maintainerId }),
    ...(summary
      ? {}
      : { stages: template.stages.map(serializeStage), parameters: template.parameters.map(parameterOf(template)) }),
    _links: { parent: linkTo('/api/v2/templates') },
  }
}

const parameterOf =
  ({ booleanVariations }: WorkflowTemplate) =>
  (parameter: TemplateParameter) =>
    shownParameter(parameter, booleanVariations)

const pending = { status: 'pending' } as const

function serializeStage({
  id,
  name,
  executeConditionsInSequence,
  conditions,
  instructions,
}: WorkflowTemplate['stages'][number]): StageResponse {
  return {
    _id: id,
    ...(name === undefined ? {} : { name }),
    ...(executeConditionsInSequence ? { executeConditionsInSequence } : {}),
    conditions: conditions.map(serializeCondition),
    action: { kind: 'patch', instructions: instructions as StageResponse['action']['instructions'] },
    _execution: pending,
  }
}

function serializeCondition({ id, ...condition }: TemplateCondition): StageResponse['conditions'][number] {
  return {
    _id: id,
    _execution: pending,
    description: '',
    notifyMemberIds: [],
    allReviews: [],
    reviewStatus: 'pending',
    ...condition,
  }
}
