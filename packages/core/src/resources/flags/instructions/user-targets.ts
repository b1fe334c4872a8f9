import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import { named } from '../../../rules/sentences/sentence.ts'
import { variationIndexOf } from '../../targeting/serve-request.ts'
import { addTargetKeys, clearTargetKeys, removeTargetKeys, userKeys } from '../../targeting/target-instructions.ts'
import { environmentInstruction } from './instruction.ts'

/** Instructions that change the individually targeted users, in the form that older clients use. */
export const userTargetInstructions = [
  environmentInstruction({
    kind: 'addUserTargets',
    sentence: ({ it, variation }, { values, variationId }) =>
      `added ${named(values, 'users')} to the variation ${variation(variationId)} of ${it}`,
    entries: userKeys,
    apply: addTargetKeys,
  }),
  environmentInstruction({
    kind: 'removeUserTargets',
    sentence: ({ it, variation }, { values, variationId }) =>
      `removed ${named(values, 'users')} from the variation ${variation(variationId)} of ${it}`,
    entries: userKeys,
    apply: removeTargetKeys,
  }),
  environmentInstruction({
    kind: 'clearUserTargets',
    sentence: ({ it, variation }, { variationId }) =>
      `removed all users from the variation ${variation(variationId)} of ${it}`,
    entries: { variationId: userKeys.variationId },
    apply: (edit, instruction) => {
      clearTargetKeys(edit, 'targets', instruction.variationId)
    },
  }),
  environmentInstruction({
    kind: 'replaceUserTargets',
    sentence: ({ it }) => `replaced the users that ${it} targets`,
    entries: { targets: list(v.strictObject(userKeys)) },
    apply: (edit, { targets }) => {
      const variationIndexes = new Set(
        targets.map((target, index) => variationIndexOf(edit, target.variationId, `targets.${index}.variationId`)),
      )
      if (variationIndexes.size < edit.variations.length) edit.refuse('targets', 'must name every variation')
      edit.config.targets = []
      for (const target of targets) addTargetKeys(edit, target)
    },
  }),
] as const
