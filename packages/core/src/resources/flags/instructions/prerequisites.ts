import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Prerequisite } from '../../../models/flags/flag-config.ts'
import { key, list } from '../../../operation/schema.ts'
import { indexInVariations } from '../../targeting/serve-request.ts'
import { type Edit, environmentInstruction } from './instruction.ts'

const entries = { key: key(), variationId: v.string() }
const prerequisiteRequest = v.strictObject(entries)

/** Instructions that change the prerequisites of a flag. */
export const prerequisiteInstructions = [
  environmentInstruction({
    kind: 'addPrerequisite',
    sentence: ({ it, nameOf }, instruction) => `added the prerequisite ${nameOf('flag', instruction.key)} to ${it}`,
    entries,
    apply: (edit, instruction) => {
      const prerequisite = prerequisiteOf(edit, instruction)
      const existing = findPrerequisite(edit, instruction.key)
      if (!existing) edit.config.prerequisites.push(prerequisite)
      else if (existing.variation !== prerequisite.variation) {
        edit.refuse('key', 'must not be a prerequisite already; use updatePrerequisite to change its variation')
      }
    },
  }),
  environmentInstruction({
    kind: 'updatePrerequisite',
    sentence: ({ it, nameOf }, instruction) =>
      `changed the variation of the prerequisite ${nameOf('flag', instruction.key)} of ${it}`,
    entries,
    apply: (edit, instruction) => {
      const existing =
        findPrerequisite(edit, instruction.key) ?? edit.refuse('key', 'must be a prerequisite of the flag')
      existing.variation = prerequisiteOf(edit, instruction).variation
    },
  }),
  environmentInstruction({
    kind: 'removePrerequisite',
    sentence: ({ it, nameOf }, instruction) => `removed the prerequisite ${nameOf('flag', instruction.key)} from ${it}`,
    entries: { key: key() },
    apply: ({ config }, instruction) => {
      config.prerequisites = config.prerequisites.filter((entry) => entry.key !== instruction.key)
    },
  }),
  environmentInstruction({
    kind: 'replacePrerequisites',
    sentence: ({ it }) => `replaced the prerequisites of ${it}`,
    entries: { prerequisites: list(prerequisiteRequest) },
    apply: (edit, instruction) => {
      edit.config.prerequisites = instruction.prerequisites.map((entry, index) =>
        prerequisiteOf(edit, entry, `prerequisites.${index}.`),
      )
    },
  }),
] as const

type PrerequisiteRequest = v.InferOutput<typeof prerequisiteRequest>

/**
 * Returns the keys of the flags that an instruction names as prerequisites. Their variations must be known before the
 * instruction is applied.
 */
export function referencedFlags(instruction: {
  readonly kind: string
  readonly key?: string
  readonly prerequisites?: readonly PrerequisiteRequest[]
}): readonly string[] {
  const { kind, key, prerequisites = [] } = instruction
  if (kind === 'replacePrerequisites') return prerequisites.map((entry) => entry.key)
  return (kind === 'addPrerequisite' || kind === 'updatePrerequisite') && key !== undefined ? [key] : []
}

function findPrerequisite({ config }: Edit, flagKey: string): Draft<Prerequisite> | undefined {
  return config.prerequisites.find((entry) => entry.key === flagKey)
}

function prerequisiteOf(edit: Edit, { key, variationId }: PrerequisiteRequest, path = ''): Draft<Prerequisite> {
  const flag = edit.others.get(key) ?? edit.refuse(`${path}key`, 'must be the key of a flag of the project')
  return { key, variation: indexInVariations(edit, flag.variations, { variationId, attribute: `${path}variationId` }) }
}
