import * as v from 'valibot'
import type { ContextKind } from '../../models/context-kinds/context-kind.ts'
import type { ExperimentationSettings } from '../../models/experimentation-settings/experimentation-settings.ts'
import type { Project } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { contextKind } from '../targeting/clause-schema.ts'

export const experimentationSettingsRequest = v.strictObject({
  randomizationUnits: v.pipe(
    list(
      v.strictObject({
        randomizationUnit: contextKind(),
        default: v.optional(v.boolean(), false),
        /** The randomization unit, in the form that was used before there were context kinds. Accepted and ignored. */
        standardRandomizationUnit: v.optional(v.string()),
      }),
    ),
    v.maxLength(100, 'must contain at most 100 units'),
  ),
})

export const experimentationSettingsResponse = v.object({
  _projectId: v.string(),
  _projectKey: v.string(),
  randomizationUnits: list(
    v.object({
      randomizationUnit: v.string(),
      default: v.boolean(),
      _hidden: v.boolean(),
      _displayName: v.string(),
    }),
  ),
  _creationDate: timestamp(),
  _links: links(),
})

/** Serializes settings. `kinds` are the context kinds of the units, by key. */
export function serializeExperimentationSettings(
  { format }: ReadContext,
  project: Project,
  { randomizationUnits, createdAt }: ExperimentationSettings,
  kinds: ReadonlyMap<string, ContextKind>,
): v.InferOutput<typeof experimentationSettingsResponse> {
  const parent = path`/api/v2/projects/${project.key}`
  return {
    _projectId: project.id,
    _projectKey: project.key,
    randomizationUnits: randomizationUnits.map((unit) => {
      const kind = kinds.get(unit.randomizationUnit)
      return { ...unit, _hidden: kind?.hideInTargeting ?? false, _displayName: kind?.name ?? unit.randomizationUnit }
    }),
    _creationDate: format.time(createdAt),
    _links: selfAndParent(`${parent}/experimentation-settings`, parent),
  }
}
