import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import { variationIndexOf } from '../../targeting/serve-request.ts'
import { addTargetKeys, clearTargetKeys, removeTargetKeys, userKeys } from '../../targeting/target-instructions.ts'
import { environmentInstruction } from './instruction.ts'

/** Instructions that change the individually targeted users, in the form that older clients use. */
export const userTargetInstructions = [
  environmentInstruction('addUserTargets', userKeys, addTargetKeys),
  environmentInstruction('removeUserTargets', userKeys, removeTargetKeys),
  environmentInstruction('clearUserTargets', { variationId: userKeys.variationId }, (edit, instruction) => {
    clearTargetKeys(edit, 'targets', instruction.variationId)
  }),
  environmentInstruction('replaceUserTargets', { targets: list(v.strictObject(userKeys)) }, (edit, { targets }) => {
    const variationIndexes = new Set(
      targets.map((target, index) => variationIndexOf(edit, target.variationId, `targets.${index}.variationId`)),
    )
    if (variationIndexes.size < edit.variations.length) edit.refuse('targets', 'must name every variation')
    edit.config.targets = []
    for (const target of targets) addTargetKeys(edit, target)
  }),
] as const
