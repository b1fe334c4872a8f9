import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Prerequisite } from '../../../models/flags/flag-config.ts'
import { key, list } from '../../../operation/schema.ts'
import { placeOf } from '../../targeting/serve-request.ts'
import { type Edit, environmentInstruction } from './instruction.ts'

const members = { key: key(), variationId: v.string() }
const prerequisiteRequest = v.strictObject(members)

/** Instructions that change the prerequisites of a flag. */
export const prerequisiteInstructions = [
  environmentInstruction('addPrerequisite', members, (edit, given) => {
    const wanted = prerequisiteOf(edit, given)
    const present = find(edit, given.key)
    if (!present) edit.config.prerequisites.push(wanted)
    else if (present.variation !== wanted.variation) {
      edit.refuse('key', 'must not be a prerequisite already; use updatePrerequisite to change its variation')
    }
  }),
  environmentInstruction('updatePrerequisite', members, (edit, given) => {
    const present = find(edit, given.key) ?? edit.refuse('key', 'must be a prerequisite of the flag')
    present.variation = prerequisiteOf(edit, given).variation
  }),
  environmentInstruction('removePrerequisite', { key: key() }, ({ config }, given) => {
    config.prerequisites = config.prerequisites.filter((one) => one.key !== given.key)
  }),
  environmentInstruction('replacePrerequisites', { prerequisites: list(prerequisiteRequest) }, (edit, given) => {
    edit.config.prerequisites = given.prerequisites.map((one, at) => prerequisiteOf(edit, one, `prerequisites.${at}.`))
  }),
] as const

type PrerequisiteRequest = v.InferOutput<typeof prerequisiteRequest>

/**
 * Returns the keys of the flags that an instruction names as prerequisites. Their variations must be known before the
 * instruction is applied.
 */
export function flagsNamed(instruction: {
  readonly kind: string
  readonly key?: string
  readonly prerequisites?: readonly PrerequisiteRequest[]
}): readonly string[] {
  const { kind, key, prerequisites = [] } = instruction
  if (kind === 'replacePrerequisites') return prerequisites.map((one) => one.key)
  return (kind === 'addPrerequisite' || kind === 'updatePrerequisite') && key !== undefined ? [key] : []
}

function find({ config }: Edit, flagKey: string): Draft<Prerequisite> | undefined {
  return config.prerequisites.find((one) => one.key === flagKey)
}

function prerequisiteOf(edit: Edit, { key, variationId }: PrerequisiteRequest, at = ''): Draft<Prerequisite> {
  const other = edit.others.get(key) ?? edit.refuse(`${at}key`, 'must be the key of a flag of the project')
  return { key, variation: placeOf(edit, other.variations, variationId, `${at}variationId`) }
}
