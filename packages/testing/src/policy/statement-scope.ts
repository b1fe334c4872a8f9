import {
  actionsOf,
  compileRole,
  parseSpecifier,
  resourceShapes,
  type Specifier,
  type Statement,
} from '@halyard/core/policy'
import { specifierContains } from './specifier-containment.ts'

/** A statement taken apart into what it speaks of, for comparing it with others of its policy. */
export interface StatementScope {
  readonly index: number
  readonly effect: Statement['effect']
  /** True for `notResources`. */
  readonly negated: boolean
  readonly specifiers: readonly Specifier[]
  namesAction(action: string): boolean
  /** All that it speaks of, in pieces that are covered one by one. */
  readonly pieces: readonly Piece[]
}

/** One action on what a specifier names, but for what the exceptions name. */
export interface Piece {
  readonly action: string
  readonly specifier: Specifier
  readonly except: readonly Specifier[]
}

/** The specifier of everything of a shape, for each shape. */
const everywhere: readonly Specifier[] = resourceShapes.map((shape) =>
  readSpecifier(
    shape
      .split(':')
      .map((kind) => (kind === 'acct' ? kind : `${kind}/*`))
      .join(':'),
  ),
)

/**
 * Takes statements apart.
 *
 * An action counts for the kinds that have it: nobody is ever asked whether a project may be turned on (D17).
 *
 * @throws TypeError when a statement is not well-formed.
 */
export function scopesOf(statements: readonly Statement[]): readonly StatementScope[] {
  return compileRole({ name: 'policy', statements }).statements.map(
    ({ effect, negated, specifiers: compiled, namesAction }, index) => {
      const specifiers = compiled.map(({ source }) => readSpecifier(source))
      const pieces = (
        negated ? placesBeside(specifiers) : specifiers.map((specifier) => ({ specifier, except: [] }))
      ).flatMap((place) =>
        actionsAt(place.specifier)
          .filter(namesAction)
          .map((action) => ({ action, ...place })),
      )
      return { index, effect, negated, specifiers, namesAction, pieces }
    },
  )
}

/**
 * Whether a statement speaks of all of a piece. Sound and not complete, as {@link specifierContains} is.
 *
 * For a piece of a statement with the same effect, or a deny for a piece of an allow: a deny reaches at least as far
 * where a key `*` stands for many things, an allow does not.
 */
export function speaksOfAll(scope: StatementScope, { action, specifier, except }: Piece): boolean {
  if (!scope.namesAction(action)) return false
  if (!scope.negated) return scope.specifiers.some((one) => specifierContains(one, specifier))
  const exceptions = scope.specifiers.filter((one) => one.shape === specifier.shape)
  return exceptions.every((one) => except.some((other) => specifierContains(other, one)))
}

/** The actions that exist for what a specifier names. */
export function actionsAt({ levels }: Specifier): readonly string[] {
  return actionsOf(levels.at(-1)?.kind ?? '')
}

/** Everything that is not named: a shape of which all is named leaves nothing. */
function placesBeside(named: readonly Specifier[]): Omit<Piece, 'action'>[] {
  return everywhere
    .map((specifier) => ({ specifier, except: named.filter((one) => one.shape === specifier.shape) }))
    .filter(({ specifier, except }) => !except.some((one) => specifierContains(one, specifier)))
}

function readSpecifier(source: string): Specifier {
  const specifier = parseSpecifier(source)
  if (typeof specifier === 'string') throw new TypeError(`"${source}" ${specifier}`)
  return specifier
}
