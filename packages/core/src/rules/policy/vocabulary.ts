import { isKeylessKind } from '../address.ts'
import type { PolicyKind } from './policy-kind.ts'

/** The kinds of resources and the actions that policies can name. */
export interface PolicyVocabulary {
  readonly kinds: readonly PolicyKind[]
  /** The shapes of all resources, e.g. `proj:env:flag`. A kind may have several. */
  readonly shapes: readonly string[]
  isShape(shape: string): boolean
  isKind(kind: string): boolean
  /** The shapes of a kind, e.g. `['proj:aiconfig', 'proj:env:aiconfig']`. */
  shapesOf(kind: string): readonly string[]
  /**
   * The actions of a kind (docs/decisions/0002-decide-access-by-policy.md#d17-actions); an unknown kind has no actions.
   */
  actionsOf(kind: string): readonly string[]
  /** All actions of all kinds, each once. */
  readonly actions: readonly string[]
  isAction(name: string): boolean
  /** Returns the name of a kind in messages, e.g. `environment` for `env`. */
  nounOf(kind: string): string
}

/**
 * Makes the vocabulary of policies.
 *
 * @param kinds all kinds of resources; kinds with several shapes have the actions of all of them.
 */
export function policyVocabulary(kinds: readonly PolicyKind[]): PolicyVocabulary {
  const shapes = new Set(kinds.map(({ shape }) => shape))
  const byKind = new Map<string, PolicyKind[]>()
  for (const kind of kinds) {
    const name = lastKind(kind.shape)
    byKind.set(name, [...(byKind.get(name) ?? []), kind])
  }
  const actions = new Map(
    [...byKind].map(([name, entries]) => [name, [...new Set(entries.flatMap((entry) => entry.actions))]]),
  )
  const allActions = new Set(kinds.flatMap((kind) => kind.actions))
  return {
    kinds,
    shapes: [...shapes],
    isShape: (shape) => shapes.has(shape),
    isKind: (kind) => byKind.has(kind),
    shapesOf: (kind) => (byKind.get(kind) ?? []).map(({ shape }) => shape),
    actionsOf: (kind) => actions.get(kind) ?? [],
    actions: [...allActions],
    isAction: (name) => allActions.has(name),
    nounOf: (kind) => byKind.get(kind)?.find(({ noun }) => noun)?.noun ?? kind.replaceAll('-', ' '),
  }
}

type LastKind<Shape extends string> = Shape extends `${string}:${infer Rest}` ? LastKind<Rest> : Shape

/** The kind of the last level, e.g. `flag` of `proj:env:flag`. */
export function lastKind<Shape extends string>(shape: Shape): LastKind<Shape> {
  return shape.slice(shape.lastIndexOf(':') + 1) as LastKind<Shape>
}

/** The specifier of every resource of a shape, e.g. `proj/*:env/*` of `proj:env`. */
export function specifierOf(shape: string): string {
  return shape
    .split(':')
    .map((kind) => (isKeylessKind(kind) ? kind : `${kind}/*`))
    .join(':')
}
