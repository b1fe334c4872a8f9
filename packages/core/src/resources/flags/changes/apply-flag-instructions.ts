import { type Draft, produce } from 'immer'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { SemanticPatch } from '../../../operation/body.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { fail, type ValidationError } from '../../../operation/errors.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Sentence, Subject } from '../../../rules/sentences/sentence.ts'
import { findCausingInstruction, refuseInstructionAt } from '../../targeting/instruction-errors.ts'
import { instructionSubject } from '../../targeting/instruction-sentences.ts'
import { requireEnvironment } from '../../targeting/require-environment.ts'
import { mandateOf } from '../../tokens/mandate.ts'
import { definitionOf, type FlagInstruction } from '../instructions/flag-instruction.ts'
import type { Edit } from '../instructions/instruction.ts'
import { referencedFlags } from '../instructions/prerequisites.ts'
import type { FlagChange, Problem } from './flag-change.ts'
import type { FlagToChange } from './save-flag.ts'

/** The state that instructions change. */
interface Editable {
  readonly flag: Flag
  readonly config: FlagConfig | undefined
}

/**
 * Applies the instructions of a semantic patch, in order. When one of them cannot be applied, the whole patch is
 * rejected (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @throws ApiError `invalid_request` that names the index of that instruction.
 */
export async function applyFlagInstructions(
  context: Pick<ReadContext, 'tx' | 'useHost' | 'readClock' | 'caller'>,
  { keys, before }: FlagToChange,
  { instructions, environmentKey, comment }: SemanticPatch<FlagInstruction>,
): Promise<FlagChange> {
  const environmentInstruction = instructions.find(({ kind }) => definitionOf(kind).inEnvironment)
  requireEnvironment(before.configs, environmentInstruction?.kind, environmentKey)
  const start: Editable = { flag: before.flag, config: before.configs.get(environmentKey ?? '') }
  const others = await loadPrerequisites(context, keys, instructions)
  const { newId } = context.useHost()
  const patchState = { others, newId, now: context.readClock(), mandate: mandateOf(context.caller) }
  const apply = (draft: Draft<Editable>, instruction: FlagInstruction, index: number) => {
    const { variations } = draft.flag
    const edit = { ...draft, ...patchState, variations, refuse: refuseInstructionAt(index) }
    const { kind, ...properties } = instruction
    // An instruction that changes an environment always has a configuration here, because `requireEnvironment` ran
    // before the first instruction.
    definitionOf(kind).apply(edit as Edit, properties)
  }
  const states = [start]
  for (const [index, instruction] of instructions.entries()) {
    states.push(produce(states[index] as Editable, (draft) => apply(draft, instruction, index)))
  }
  const after = states.at(-1) as Editable
  return {
    flag: after.flag,
    configs: new Map(environmentKey !== undefined && after.config ? [[environmentKey, after.config]] : []),
    comment,
    sentences: {
      flag: sentencesAbout('flag', states, instructions),
      config: sentencesAbout('config', states, instructions),
    },
    refuse: (problems) => fail('invalid_request', { errors: locateProblems(states, problems) }),
  }
}

/** Returns the sentences about the instructions that changed the flag, or its configuration. */
function sentencesAbout(
  part: keyof Editable,
  states: readonly Editable[],
  instructions: readonly FlagInstruction[],
): readonly Sentence[] {
  return instructions.flatMap((instruction, index) => {
    const [before, after] = [states[index], states[index + 1]] as [Editable, Editable]
    const { kind, ...properties } = instruction
    const isAboutPart = definitionOf(kind).inEnvironment === (part === 'config')
    if (!isAboutPart || jsonEqual(before[part], after[part])) return []
    const referenceTargets = { variations: before.flag.variations, rules: before.config?.rules ?? [] }
    return (subject: Subject) => definitionOf(kind).sentence(instructionSubject(subject, referenceTargets), properties)
  })
}

async function loadPrerequisites(
  { tx }: Pick<ReadContext, 'tx'>,
  keys: FlagKeys,
  instructions: readonly FlagInstruction[],
): Promise<ReadonlyMap<string, Flag>> {
  const referencedKeys = [...new Set(instructions.flatMap(referencedFlags))]
  const documents = await tx.getMany(
    flags,
    referencedKeys.map((flagKey) => ({ ...keys, flagKey })),
  )
  return new Map(documents.flatMap((flag): [string, Flag][] => (flag ? [[flag.key, flag]] : [])))
}

/**
 * Names the instruction that caused each problem. A flag is validated once, after all instructions.
 *
 * @param states the state before the first instruction, then the state after each.
 */
function locateProblems(states: readonly Editable[], problems: readonly Problem[]): ValidationError[] {
  return problems.map((problem) => ({
    attribute: `instructions.${findCausingInstruction(states, ({ flag, config }) => problem.existsIn(flag, config))}`,
    reason: `${problem.attribute} ${problem.reason}`,
  }))
}
