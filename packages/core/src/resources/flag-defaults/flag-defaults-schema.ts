import * as v from 'valibot'
import type { FlagDefaults } from '../../models/projects/flag-defaults.ts'
import type { Project } from '../../models/projects/project.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, tags, text } from '../../operation/schema.ts'
import { clientSideAvailability } from '../projects/project-schema.ts'

const booleanVariation = () => v.picklist([0, 1], 'must be 0 or 1')

const displayName = () => v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))

/** The defaults of new flags, as a caller sets them. */
export const flagDefaultSettings = v.object({
  tags: tags(),
  temporary: v.boolean(),
  defaultClientSideAvailability: clientSideAvailability,
  booleanDefaults: v.strictObject({
    trueDisplayName: displayName(),
    falseDisplayName: displayName(),
    trueDescription: text(),
    falseDescription: text(),
    onVariation: booleanVariation(),
    offVariation: booleanVariation(),
  }),
})

export type FlagDefaultSettings = v.InferOutput<typeof flagDefaultSettings>

export const flagDefaultsResponse = v.object({ _links: links(), key: v.string(), ...flagDefaultSettings.entries })

/** Returns the defaults of new flags in the form of requests and responses. */
export function settingsOf(
  { defaultClientSideAvailability }: Project,
  { tags: defaultTags, temporary, booleanDefaults }: FlagDefaults,
): FlagDefaultSettings {
  return { tags: [...defaultTags], temporary, defaultClientSideAvailability, booleanDefaults }
}

export function serializeFlagDefaults(
  project: Project,
  defaults: FlagDefaults,
): v.InferOutput<typeof flagDefaultsResponse> {
  const parent = path`/api/v2/projects/${project.key}`
  return {
    _links: selfAndParent(`${parent}/flag-defaults`, parent),
    key: project.key,
    ...settingsOf(project, defaults),
  }
}
