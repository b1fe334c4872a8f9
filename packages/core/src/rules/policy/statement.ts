import { canonicalJson } from '../canonical-json.ts'
import { knownActionParser, parseActionPattern } from './action-pattern.ts'
import { parseSpecifier } from './specifier.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

/**
 * One rule of a policy, as it is stored and sent (docs/specification.md#policy-statement,
 * docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 *
 * It has either `resources` or `notResources`, and either `actions` or `notActions`; an empty list counts as absent.
 * Specifiers look like `proj/*:env/production;critical-tag:flag/checkout-*`.
 */
export interface Statement {
  readonly effect: 'allow' | 'deny'
  /** Specifiers of the resources that the statement applies to; either this or `notResources`. */
  readonly resources?: readonly string[]
  /** Specifiers of the resources that the statement does not apply to; it applies to all others. */
  readonly notResources?: readonly string[]
  /** Actions that the statement applies to; either this or `notActions`. */
  readonly actions?: readonly string[]
  /** Actions that the statement does not apply to; it applies to all others. */
  readonly notActions?: readonly string[]
}

/** Maximum number of statements in a role, and of entries in one list of a statement. */
const MAX_ENTRIES = 500

/** Maximum number of characters in a specifier or an action. */
const MAX_TEXT_LENGTH = 1000

/** An error in a part of a list of statements. */
export interface StatementError {
  /** Path of the part: `''` for the list itself, `[1].resources[0]` for a specifier. */
  readonly attribute: string
  readonly reason: string
}

type Parse = (text: string) => unknown

/**
 * Validates statements before they are saved (docs/decisions/0002-decide-access-by-policy.md#d15-policies); valid ones
 * can be compiled.
 *
 * Unknown properties are accepted, so that a caller can send back a statement of a response that has `role_name`.
 *
 * @param statements anything; should be an array of at most 500 {@link Statement}.
 * @param vocabulary the kinds and shapes that specifiers may name.
 * @param unchanged statements that are stored already. Their actions may be unknown, because another version may have
 *   stored them. Default: no statements.
 * @returns all errors, in the order of the text; an empty list when the statements are valid.
 */
export function validateStatements(
  statements: unknown,
  vocabulary: PolicyVocabulary,
  unchanged: readonly Statement[] = [],
): StatementError[] {
  if (!Array.isArray(statements)) return [statementError('', 'must be an array of statements')]
  if (statements.length > MAX_ENTRIES) return [statementError('', `must have at most ${MAX_ENTRIES} statements`)]
  const parseKnownAction = knownActionParser(vocabulary)
  const stored = new Set(unchanged.map((statement) => canonicalJson(statement)))
  return statements.flatMap((statement, index) => {
    const isStored = stored.size > 0 && stored.has(canonicalJson(statement))
    return validateStatement(statement, `[${index}]`, vocabulary, isStored ? parseActionPattern : parseKnownAction)
  })
}

function validateStatement(
  statement: unknown,
  path: string,
  vocabulary: PolicyVocabulary,
  parseAction: Parse,
): StatementError[] {
  const parse: Parse = (text) => parseSpecifier(text, vocabulary)
  if (!isRecord(statement)) return [statementError(path, 'must be an object')]
  return [
    ...validateEffect(statement.effect, `${path}.effect`),
    ...validateAlternatives(statement, 'resources', 'notResources', path),
    ...validateAlternatives(statement, 'actions', 'notActions', path),
    ...validateList(statement.resources, `${path}.resources`, parse),
    ...validateList(statement.notResources, `${path}.notResources`, parse),
    ...validateList(statement.actions, `${path}.actions`, parseAction),
    ...validateList(statement.notActions, `${path}.notActions`, parseAction),
  ]
}

function validateEffect(effect: unknown, path: string): StatementError[] {
  return effect === 'allow' || effect === 'deny' ? [] : [statementError(path, 'must be `allow` or `deny`')]
}

function validateAlternatives(
  statement: Record<string, unknown>,
  name: string,
  otherName: string,
  path: string,
): StatementError[] {
  const present = [name, otherName].filter((name) => isPresent(statement[name]))
  if (present.length === 1) return []
  const reason =
    present.length === 0 ? `must be present, unless \`${otherName}\` is` : `must not be combined with \`${otherName}\``
  return [statementError(`${path}.${name}`, reason)]
}

/**
 * Returns false for an empty list, which counts as absent: responses contain such lists, and clients send them back.
 */
function isPresent(list: unknown): boolean {
  return list !== undefined && !(Array.isArray(list) && list.length === 0)
}

function validateList(list: unknown, path: string, parse: Parse): StatementError[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return [statementError(path, 'must be an array of strings')]
  if (list.length > MAX_ENTRIES) return [statementError(path, `must have at most ${MAX_ENTRIES} entries`)]
  return list.flatMap((text, index) => validateText(text, `${path}[${index}]`, parse))
}

function validateText(text: unknown, path: string, parse: Parse): StatementError[] {
  if (typeof text !== 'string') return [statementError(path, 'must be a string')]
  if (text.length > MAX_TEXT_LENGTH) return [statementError(path, `must have at most ${MAX_TEXT_LENGTH} characters`)]
  const parsed = parse(text)
  return typeof parsed === 'string' ? [statementError(path, parsed)] : []
}

function statementError(attribute: string, reason: string): StatementError {
  return { attribute, reason }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
