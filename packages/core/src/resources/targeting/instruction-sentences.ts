import { type Subject, shortName } from '../../rules/sentences/sentence.ts'
import type { Rule } from '../../rules/targeting/rule.ts'
import type { InstructionSubject } from './instruction.ts'

/** The properties by which sentences name a variation. */
interface NamedVariation {
  readonly name?: string | undefined
  readonly value?: unknown
}

/** Returns the name of a variation, or its value when it has no name. */
export function variationName({ name, value }: NamedVariation): string {
  return shortName(name || JSON.stringify(value) || '')
}

/** Returns what an instruction makes a rule serve: a variation by its name, or a rollout. */
export function servedBy(
  { variation }: InstructionSubject,
  { variationId }: { readonly variationId?: string },
): string {
  return variationId === undefined ? 'a rollout' : variation(variationId)
}

/** The state of a resource in which an instruction finds variations and rules by their ids. */
export interface NamedState {
  readonly variations: readonly (NamedVariation & { readonly _id: string })[]
  readonly rules: readonly Pick<Rule, '_id' | 'description'>[]
}

/** Returns the subject of the sentence about an instruction that was applied to this state. */
export function instructionSubject(subject: Subject, { variations, rules }: NamedState): InstructionSubject {
  return {
    ...subject,
    variation: (id) => variationName(variations.find(({ _id }) => _id === id) ?? { name: id }),
    rule: (id) => {
      const index = rules.findIndex(({ _id }) => _id === id)
      const { description } = rules[index] ?? {}
      if (description) return `the rule ${shortName(description)}`
      return index < 0 ? 'a rule' : `rule ${index + 1}`
    },
  }
}
