import * as v from 'valibot'
import { type Flag, flags } from '../../models/flags/flag.ts'
import type { WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { TemplateStage } from '../../models/workflows/workflow-stage.ts'
import type { TemplateParameter, WorkflowTemplate } from '../../models/workflows/workflow-template.ts'
import type { Context, WriteContext } from '../../operation/context.ts'
import { type Output, parse } from '../../operation/schema.ts'
import { type Pointer, parsePointer } from '../../rules/json-patch/index.ts'
import { findParameters, withOtherIds, withValueAt } from '../../rules/workflow/template-parameters.ts'
import type { Writer } from '../../storage/writer.ts'
import { type StageInput, stagesBody } from './stage-body.ts'

/** Request schema of the values that replace values of a template. */
export const parameterValues = v.array(
  v.strictObject({
    _id: v.string(),
    default: v.strictObject({
      value: v.optional(v.unknown()),
      /** The variation of a boolean flag with this value. */
      booleanVariationValue: v.optional(v.boolean()),
    }),
    /** Accepted because responses contain this property and clients send it back. */
    path: v.optional(v.string()),
    valid: v.optional(v.boolean()),
  }),
)

type ParameterValues = Output<typeof parameterValues>

/** Returns the stages of a template in the form of a request. */
export function stagesInput(stages: readonly TemplateStage[]) {
  return stages.map(({ id: _, instructions, conditions, ...stage }) => ({
    ...stage,
    conditions: conditions.map(({ id: __, ...condition }) => condition),
    action: { instructions },
  }))
}

/** Finds the values of stages that can differ between the flags, environments and days of workflows. */
export function parametersOf(
  context: Pick<WriteContext, 'useHost'>,
  stages: readonly TemplateStage[],
): readonly TemplateParameter[] {
  const host = context.useHost()
  return stages.flatMap(({ conditions, instructions }, stageIndex) => {
    const dates = conditions.flatMap((condition, index): TemplateParameter[] =>
      condition.kind === 'schedule' && condition.scheduleKind === 'absolute'
        ? [{ id: host.newId(), at: `/${stageIndex}/conditions/${index}`, path: '/executionDate' }]
        : [],
    )
    const values = instructions.flatMap((instruction, index) =>
      findParameters(instruction).map(
        (found): TemplateParameter => ({
          id: host.newId(),
          at: `/${stageIndex}/action/instructions/${index}`,
          ...found,
        }),
      ),
    )
    return [...dates, ...values]
  })
}

/** Returns the values of the variations of a boolean flag by their ids; undefined for another flag. */
export function booleanVariationsOf(flag: Flag | undefined): Readonly<Record<string, boolean>> | undefined {
  if (flag?.kind !== 'boolean') return undefined
  return Object.fromEntries(flag.variations.map(({ _id, value }) => [_id, value === true]))
}

/**
 * Returns the stages of a template for a flag, with the values of a request in place of the values of the template.
 *
 * @throws ApiError `invalid_request` for an id that no parameter has, for the value of a boolean variation
 *   alone when the flag is not boolean, and for values that no stage can have.
 */
export async function fillTemplate(
  context: Context<Writer, 'invalid_request'>,
  keys: Omit<WorkflowKeys, 'workflowId'>,
  { stages, parameters, booleanVariations = {} }: WorkflowTemplate,
  values: ParameterValues,
): Promise<readonly StageInput[]> {
  const variations = booleanVariationsOf(await context.tx.get(flags, keys))
  const variationOf = (booleanValue: boolean) =>
    Object.keys(variations ?? {}).find((id) => variations?.[id] === booleanValue)
  const ownVariation = (id: string) => {
    const value = booleanVariations[id]
    return (value === undefined ? undefined : variationOf(value)) ?? id
  }
  const known = new Set(parameters.map(({ id }) => id))
  const errors = values.flatMap(({ _id, default: replacement }, index) => {
    const errorAt = (attribute: string, reason: string) => ({ attribute: `parameters.${index}.${attribute}`, reason })
    if (!known.has(_id)) return [errorAt('_id', 'must be the id of a parameter of the template')]
    const { value, booleanVariationValue } = replacement
    // Responses contain both properties. A flag that is not boolean needs the value.
    if (booleanVariationValue === undefined || variations || (value ?? null) !== null) return []
    return [errorAt('default.value', 'must be given, because the flag is not boolean')]
  })
  if (errors.length > 0) context.fail('invalid_request', { errors })
  const replacements = new Map(values.map(({ _id, default: replacement }) => [_id, replacement]))
  let filled: unknown = stagesInput(stages)
  for (const { id, at, path, value } of parameters) {
    const replacement = replacements.get(id)
    const booleanValue = replacement?.booleanVariationValue
    const variation = booleanValue === undefined ? undefined : variationOf(booleanValue)
    const next = variation ?? replacement?.value ?? withOtherIds(value, ownVariation)
    // Cast: the pointers were made by this engine.
    if (next !== undefined) filled = withValueAt(filled, (parsePointer(`${at}${path}`) as Pointer).tokens, next)
  }
  const parsed = parse(v.object({ stages: stagesBody }), { stages: filled })
  if (!parsed.ok) return context.fail('invalid_request', { errors: parsed.errors })
  return parsed.value.stages
}
