import { type Draft, produce } from 'immer'
import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { SemanticPatch } from '../../../operation/body.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { fail, type ValidationError } from '../../../operation/errors.ts'
import { findCausingInstruction, refuseInstructionAt } from '../../targeting/instruction-errors.ts'
import { requireEnvironment } from '../../targeting/require-environment.ts'
import type { FlagState } from '../flag-state.ts'
import { definitionOf, type FlagInstruction } from '../instructions/flag-instruction.ts'
import type { Edit } from '../instructions/instruction.ts'
import { referencedFlags } from '../instructions/prerequisites.ts'
import type { FlagChange, Problem } from './flag-change.ts'

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
  context: Pick<ReadContext, 'tx' | 'useHost'>,
  keys: FlagKeys,
  before: FlagState,
  { instructions, environmentKey, comment }: SemanticPatch<FlagInstruction>,
): Promise<FlagChange> {
  const environmentInstruction = instructions.find(({ kind }) => definitionOf(kind).inEnvironment)
  requireEnvironment(before.configs, environmentInstruction?.kind, environmentKey)
  const start: Editable = { flag: before.flag, config: before.configs.get(environmentKey ?? '') }
  const others = await loadPrerequisites(context, keys, instructions)
  const { newId } = context.useHost()
  const apply = (draft: Draft<Editable>, instruction: FlagInstruction, index: number) => {
    const edit = { ...draft, variations: draft.flag.variations, others, newId, refuse: refuseInstructionAt(index) }
    const { kind, ...properties } = instruction
    // An instruction of an environment has one, because `requireEnvironment` ran before the first instruction.
    definitionOf(kind).apply(edit as Edit, properties)
  }
  const after = produce(start, (draft) => {
    for (const [index, instruction] of instructions.entries()) apply(draft, instruction, index)
  })
  return {
    flag: after.flag,
    configs: new Map(environmentKey !== undefined && after.config ? [[environmentKey, after.config]] : []),
    comment,
    refuse: (problems) => fail('invalid_request', { errors: locateProblems(start, instructions, apply, problems) }),
  }
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

type Apply = (draft: Draft<Editable>, instruction: FlagInstruction, index: number) => void

/**
 * Names the instruction that caused each problem. A flag is validated once, after all instructions. Only when it is
 * invalid are the instructions applied again, one by one, to find the step that caused the problem.
 */
function locateProblems(
  start: Editable,
  instructions: readonly FlagInstruction[],
  apply: Apply,
  problems: readonly Problem[],
): ValidationError[] {
  const states = [start]
  for (const [index, instruction] of instructions.entries()) {
    const previous = states[index] as Editable
    states.push(produce(previous, (draft) => apply(draft, instruction, index)))
  }
  return problems.map((problem) => ({
    attribute: `instructions.${findCausingInstruction(states, ({ flag, config }) => problem.existsIn(flag, config))}`,
    reason: `${problem.attribute} ${problem.reason}`,
  }))
}
