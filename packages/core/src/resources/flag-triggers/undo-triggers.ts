import type { UndoRules } from '../../operation/undo/undo-rules.ts'
import { type FlagTrigger, flagTriggerIndex, type flagTriggers } from './flag-trigger.ts'
import { mandateForTrigger, saveTrigger } from './trigger-author.ts'

type Rules = UndoRules<FlagTrigger, typeof flagTriggers.template>

/** Writes an earlier state. The caller becomes the author, as after a patch. */
export const undoChange: Rules = {
  async update(context, { keys, current, wanted }) {
    await saveTrigger(context, { keys, before: current, after: wanted })
  },
}

/** Inserts a deleted trigger without a URL; the caller becomes its author. */
export const undoDeletion: Rules = {
  create: 'createTriggers',
  async prepare(context, keys, trigger) {
    return { ...trigger, mandate: await mandateForTrigger(context, keys) }
  },
  inserted({ tx }, { id, ...flag }) {
    tx.ensure(flagTriggerIndex, { id }, flag)
  },
}
