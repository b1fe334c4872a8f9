import { userKind } from '../../../rules/targeting/clause.ts'
import type { SideEdit, TargetEdit } from '../target-lists.ts'
import type { SegmentInstruction } from './segment-instruction.ts'

/** Effects of the instructions about listed keys. */
const targetInstructions = {
  addIncludedTargets: { side: 'included', adds: true },
  addExcludedTargets: { side: 'excluded', adds: true },
  removeIncludedTargets: { side: 'included', adds: false },
  removeExcludedTargets: { side: 'excluded', adds: false },
  addIncludedUsers: { side: 'included', adds: true },
  addExcludedUsers: { side: 'excluded', adds: true },
  removeIncludedUsers: { side: 'included', adds: false },
  removeExcludedUsers: { side: 'excluded', adds: false },
} as const satisfies Partial<Record<SegmentInstruction['kind'], Omit<SideEdit, 'keys'>>>

/** Effects of the instructions about the keys of a big segment. */
const bigInstructions = {
  addBigSegmentIncludedTargets: { side: 'included', adds: true },
  addBigSegmentExcludedTargets: { side: 'excluded', adds: true },
  removeBigSegmentIncludedTargets: { side: 'included', adds: false },
  removeBigSegmentExcludedTargets: { side: 'excluded', adds: false },
} as const satisfies Partial<Record<SegmentInstruction['kind'], Omit<SideEdit, 'keys'>>>

export type TargetInstruction = Extract<SegmentInstruction, { kind: keyof typeof targetInstructions }>
export type BigInstruction = Extract<SegmentInstruction, { kind: keyof typeof bigInstructions }>
/** The remaining instructions, which change the document itself. */
export type DocumentInstruction = Exclude<
  SegmentInstruction,
  TargetInstruction | BigInstruction | { kind: 'processBigSegmentImport' }
>

export function isTargetInstruction(instruction: SegmentInstruction): instruction is TargetInstruction {
  return instruction.kind in targetInstructions
}

export function isBigInstruction(instruction: SegmentInstruction): instruction is BigInstruction {
  return instruction.kind in bigInstructions
}

export function isDocumentInstruction(instruction: SegmentInstruction): instruction is DocumentInstruction {
  return !(
    isTargetInstruction(instruction) ||
    isBigInstruction(instruction) ||
    instruction.kind === 'processBigSegmentImport'
  )
}

export function targetEditOf(instruction: TargetInstruction): TargetEdit {
  const contextKind = 'contextKind' in instruction ? instruction.contextKind : userKind
  return { ...targetInstructions[instruction.kind], contextKind, keys: instruction.values }
}

export function sideEditOf(instruction: BigInstruction): SideEdit {
  return { ...bigInstructions[instruction.kind], keys: instruction.values }
}
