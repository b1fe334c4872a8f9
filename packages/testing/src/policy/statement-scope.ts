import {
  actionsOf,
  compileRole,
  parseSpecifier,
  resourceShapes,
  type Specifier,
  type Statement,
  specifierOf,
} from '@halyard/core/policy'
import { specifierContains } from './specifier-containment.ts'

/** The scope of a statement, in a form that can be compared with other statements of its policy. */
export interface StatementScope {
  readonly index: number
  readonly effect: Statement['effect']
  /** True for `notResources`. */
  readonly negated: boolean
  readonly specifiers: readonly Specifier[]
  matchesAction(action: string): boolean
  /** The actions and resources that the statement applies to, in pieces that are covered one by one. */
  readonly pieces: readonly Piece[]
}

/** One action on the resources of a specifier, minus the resources of the exceptions. */
export interface Piece {
  readonly action: string
  readonly specifier: Specifier
  readonly except: readonly Specifier[]
}

/** For each shape, the specifier that matches every resource of the shape. */
const specifierOfEachShape: readonly Specifier[] = resourceShapes.map((shape) => readSpecifier(specifierOf(shape)))

/**
 * Computes the scopes of statements. An action counts only for the kinds that have it: for example, no request turns on
 * a project (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 * @throws TypeError when a statement is not well-formed.
 */
export function scopesOf(statements: readonly Statement[]): readonly StatementScope[] {
  return compileRole({ name: 'policy', statements }).statements.map(
    ({ effect, negated, specifiers: compiled, matchesAction }, index) => {
      const specifiers = compiled.map(({ source }) => readSpecifier(source))
      const pieces = (
        negated ? piecesExcept(specifiers) : specifiers.map((specifier) => ({ specifier, except: [] }))
      ).flatMap((part) =>
        actionsOfSpecifier(part.specifier)
          .filter(matchesAction)
          .map((action) => ({ action, ...part })),
      )
      return { index, effect, negated, specifiers, matchesAction, pieces }
    },
  )
}

/**
 * Returns true when a statement applies to all of a piece. The result true is always correct, but the result can be
 * false although the statement does apply, as with {@link specifierContains}. The result is valid for a piece of a
 * statement with the same effect, or for a deny and a piece of an allow. For a key `*`, which represents many
 * resources, a deny applies at least as widely as an allow.
 */
export function coversPiece(scope: StatementScope, { action, specifier, except }: Piece): boolean {
  if (!scope.matchesAction(action)) return false
  if (!scope.negated) return scope.specifiers.some((candidate) => specifierContains(candidate, specifier))
  const exceptions = scope.specifiers.filter((candidate) => candidate.shape === specifier.shape)
  return exceptions.every((candidate) => except.some((other) => specifierContains(other, candidate)))
}

/** Returns the actions that exist for the resources of a specifier. */
export function actionsOfSpecifier({ levels }: Specifier): readonly string[] {
  return actionsOf(levels.at(-1)?.kind ?? '')
}

/** Returns all resources that the specifiers do not match. A shape that they match completely yields nothing. */
function piecesExcept(excluded: readonly Specifier[]): Omit<Piece, 'action'>[] {
  return specifierOfEachShape
    .map((specifier) => ({ specifier, except: excluded.filter((candidate) => candidate.shape === specifier.shape) }))
    .filter(({ specifier, except }) => !except.some((candidate) => specifierContains(candidate, specifier)))
}

function readSpecifier(source: string): Specifier {
  const specifier = parseSpecifier(source)
  if (typeof specifier === 'string') throw new TypeError(`"${source}" ${specifier}`)
  return specifier
}
