import { shortName } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { shownStages } from './shown-stages.ts'
import type { TemplateStage } from './workflow-stage.ts'

/** Stages from which workflows of any flag are created. */
export interface WorkflowTemplate extends Versioned {
  readonly id: string
  readonly key: string
  readonly name?: string
  readonly description?: string
  /** Id of the member who created the template. */
  readonly maintainerId?: string
  readonly stages: readonly TemplateStage[]
  /** Values of the stages that can differ between flags, environments or days. */
  readonly parameters: readonly TemplateParameter[]
  /**
   * The values of the variations that the stages name, by their ids, when the template was made from a boolean flag. A
   * workflow of another boolean flag then uses the variations with the same values.
   */
  readonly booleanVariations?: Readonly<Record<string, boolean>>
  readonly createdAt: number
}

/** A value of a template that a new workflow can replace. */
export interface TemplateParameter {
  readonly id: string
  /**
   * JSON Pointer to the condition or instruction that contains the value, relative to the list of stages, e.g.
   * `/0/action/instructions/1`.
   */
  readonly at: string
  /** JSON Pointer to the value, relative to that condition or instruction, e.g. `/variationId`. */
  readonly path: string
  /** Absent for a date. */
  readonly value?: unknown
}

export const workflowTemplates = documents<WorkflowTemplate>()({
  name: 'workflow-template',
  noun: 'workflow template',
  address: 'template/{templateKey}',
  fields: ({ key, name = '', description = '', createdAt }) => ({ key, name, description, createdAt }),
  shown: {
    id: '_id',
    key: '_key',
    maintainerId: (id) => ({ _maintainerId: id, _ownerId: id }),
    stages: shownStages,
    parameters: (parameters) => ({
      parameters: parameters.map(({ id, value, ...place }) => ({
        _id: id,
        ...place,
        default: value === undefined ? {} : { value },
      })),
    }),
    booleanVariations: null,
    createdAt: shownTime('_creationDate'),
  },
  sentences: { name: ({ key, name = key }) => `the workflow template “${shortName(name)}”` },
  changes: {
    id: null,
    key: null,
    name: null,
    description: null,
    maintainerId: null,
    stages: null,
    parameters: null,
    booleanVariations: null,
    createdAt: null,
  },
})
