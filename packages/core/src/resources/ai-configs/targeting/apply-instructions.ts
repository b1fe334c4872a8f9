import { type Draft, produce } from 'immer'
import type { AIConfig } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { SemanticPatch } from '../../../operation/body.ts'
import type { Host } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Sentence, Subject } from '../../../rules/sentences/sentence.ts'
import { validateTargeting } from '../../../rules/targeting/validate-targeting.ts'
import { findCausingInstruction, refuseInstructionAt } from '../../targeting/instruction-errors.ts'
import { instructionSubject } from '../../targeting/instruction-sentences.ts'
import { requireEnvironment } from '../../targeting/require-environment.ts'
import { type AIConfigInstruction, instructionOf } from './targeting-instructions.ts'
import type { TargetingState } from './targeting-state.ts'

/**
 * Result of the instructions of a patch: a targeting that passes all checks that need no other documents.
 */
export interface TargetingChange {
  readonly config: AIConfig
  /** The configuration in the environment of the patch, if the patch names one. */
  readonly targeting: AIConfigTargeting | undefined
  readonly comment: string | undefined
  /** Sentences about the instructions, for the change log: about the config, and about its targeting. */
  readonly sentences: { readonly config: readonly Sentence[]; readonly targeting: readonly Sentence[] }
  /** True when the change starts or ends an iteration of an experiment. Other changes cannot do this. Default false. */
  readonly byExperiment?: boolean
  /** Fails with an error that names the first instruction after which `shows` returns true for the targeting. */
  refuse(reason: string, shows: (targeting: AIConfigTargeting) => boolean): never
}

/** The state that instructions change. */
interface Editable {
  readonly config: AIConfig
  readonly targeting: AIConfigTargeting | undefined
}

/**
 * Applies the instructions of a semantic patch, in order. When one of them cannot be applied, the whole patch is
 * rejected (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @throws ApiError `invalid_request` that names the index of that instruction.
 */
export function applyInstructions(
  { newId }: Host,
  { config, targetings, variations }: TargetingState,
  { instructions, environmentKey, comment }: SemanticPatch<AIConfigInstruction>,
): TargetingChange {
  const environmentInstruction = instructions.find(({ kind }) => instructionOf(kind).inEnvironment)
  requireEnvironment(targetings, environmentInstruction?.kind, environmentKey)
  const start: Editable = { config, targeting: targetings.get(environmentKey ?? '') }
  const apply = (draft: Draft<Editable>, instruction: AIConfigInstruction, index: number) => {
    const { kind, ...parameters } = instruction
    const { config: aiConfig, targeting } = draft
    const edit = {
      aiConfig,
      config: targeting,
      variations: config.variations,
      newId,
      refuse: refuseInstructionAt(index),
    }
    // An instruction that changes an environment always has a targeting here, because this was validated before the first
    // instruction was applied.
    // Cast: the definition that `instructionOf` returns accepts the properties of this kind of instruction.
    instructionOf(kind).apply(edit as never, parameters as never)
  }
  const states = [start]
  for (const [index, instruction] of instructions.entries()) {
    states.push(produce(states[index] as Editable, (draft) => apply(draft, instruction, index)))
  }
  const after = states.at(-1) as Editable

  const refuse: TargetingChange['refuse'] = (reason, shows) => {
    const index = findCausingInstruction(states, ({ targeting }) => targeting !== undefined && shows(targeting))
    return fail('invalid_request', { errors: [{ attribute: `instructions.${index}`, reason }] })
  }
  const validationErrorsOf = (targeting: AIConfigTargeting) => validateTargeting(targeting, config.variations.length)
  // A patch that changes nothing succeeds even if the targeting is invalid, for example because the config has no
  // variations.
  const changed = jsonEqual(start.targeting, after.targeting) ? undefined : after.targeting
  const [error] = changed ? validationErrorsOf(changed) : []
  if (error) {
    refuse(`${error.attribute} ${error.reason}`, (candidate) =>
      validationErrorsOf(candidate).some(({ reason }) => reason === error.reason),
    )
  }
  const variationReferences = variations.map(({ id, name, key }) => ({ _id: id, name: name || key }))
  const sentencesAbout = (part: keyof Editable) => sentencesOf(part, states, instructions, variationReferences)
  return {
    ...after,
    comment,
    sentences: { config: sentencesAbout('config'), targeting: sentencesAbout('targeting') },
    refuse,
  }
}

/** Returns the sentences about the instructions that changed the config, or its targeting. */
function sentencesOf(
  part: keyof Editable,
  states: readonly Editable[],
  instructions: readonly AIConfigInstruction[],
  variations: readonly { readonly _id: string; readonly name: string }[],
): readonly Sentence[] {
  return instructions.flatMap((instruction, index) => {
    const [before, after] = [states[index], states[index + 1]] as [Editable, Editable]
    const { kind, ...properties } = instruction
    const isAboutPart = instructionOf(kind).inEnvironment === (part === 'targeting')
    if (!isAboutPart || jsonEqual(before[part], after[part])) return []
    const referenceTargets = { variations, rules: before.targeting?.rules ?? [] }
    return (subject: Subject) => instructionOf(kind).sentence(instructionSubject(subject, referenceTargets), properties)
  })
}
