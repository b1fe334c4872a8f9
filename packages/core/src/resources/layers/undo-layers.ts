import { type Layer, layers } from '../../models/layers/layer.ts'
import type { UndoRules } from '../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/**
 * The rules by which changes of layers are undone. Reservations are not restored, because experiments may have started
 * on the traffic since; they are changed by the operation that validates them.
 */
export const undoLayers: UndoRules<Layer, typeof layers.template> = {
  update(context, keys, current, wanted) {
    if (!jsonEqual(current.reservations, wanted.reservations)) {
      const reason = 'must be changed by updateExperimentReservation or removeExperiment'
      context.fail('invalid_request', { errors: [{ attribute: 'reservations', reason }] })
    }
    context.tx.replace(layers, keys, current, wanted)
  },
}
