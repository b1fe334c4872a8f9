import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import { indexOf } from '../../targeting/serve-request.ts'
import { addKeys, clearKeys, removeKeys, userKeys } from '../../targeting/target-instructions.ts'
import { environmentInstruction } from './instruction.ts'

/** Instructions that change the individually targeted users, in the form that older clients use. */
export const userTargetInstructions = [
  environmentInstruction('addUserTargets', userKeys, addKeys),
  environmentInstruction('removeUserTargets', userKeys, removeKeys),
  environmentInstruction('clearUserTargets', { variationId: userKeys.variationId }, (edit, given) => {
    clearKeys(edit, 'targets', given.variationId)
  }),
  environmentInstruction('replaceUserTargets', { targets: list(v.strictObject(userKeys)) }, (edit, { targets }) => {
    const named = new Set(targets.map((target, at) => indexOf(edit, target.variationId, `targets.${at}.variationId`)))
    if (named.size < edit.variations.length) edit.refuse('targets', 'must name every variation')
    edit.config.targets = []
    for (const target of targets) addKeys(edit, target)
  }),
] as const
