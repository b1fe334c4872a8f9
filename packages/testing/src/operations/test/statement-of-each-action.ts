import { readFileSync } from 'node:fs'
import path from 'node:path'
import { actionsOf } from '@halyard/core/policy'
import { resources } from './logged-state.ts'

/** A policy that allows everything by one statement for each action, so that a decision tells what was asked. */
export function statementOfEachAction() {
  const shapes = [...new Set(resourceShapes())]
  const everyAction = new Set(shapes.flatMap(actionsOfShape))
  return [...everyAction].map((action) => ({
    effect: 'allow',
    resources: shapes.filter((shape) => actionsOfShape(shape).includes(action)).map(starred),
    actions: [action],
  }))
}

function resourceShapes(): string[] {
  const text = readFileSync(path.resolve(resources, '../rules/policy/resource-kinds.ts'), 'utf8')
  return [...text.matchAll(/^ {2}'([a-z:-]+)',$/gm)].map(([, shape = '']) => shape)
}

function actionsOfShape(shape: string): readonly string[] {
  return actionsOf(shape.split(':').at(-1) as never) ?? []
}

const starred = (shape: string) =>
  shape
    .split(':')
    .map((kind) => (kind === 'acct' ? kind : `${kind}/*`))
    .join(':')
