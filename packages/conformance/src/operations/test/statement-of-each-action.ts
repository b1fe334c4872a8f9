import { actionsOf, resourceShapes, specifierOf } from '@halyard/core/policy'

/**
 * Returns a policy that allows everything with one statement for each action, so that a decision shows which action was
 * checked.
 */
export function statementOfEachAction() {
  const shapes = [...new Set<string>(resourceShapes)]
  const everyAction = new Set(shapes.flatMap(actionsOfShape))
  return [...everyAction].map((action) => ({
    effect: 'allow',
    resources: shapes.filter((shape) => actionsOfShape(shape).includes(action)).map(specifierOf),
    actions: [action],
  }))
}

function actionsOfShape(shape: string): readonly string[] {
  return actionsOf(shape.split(':').at(-1) ?? '') ?? []
}
