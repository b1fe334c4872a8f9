import { parseTextPattern, type TextPattern } from './text-pattern.ts'

/**
 * Parses an action of a statement: a name such as `updateOn`, in which `*` stands for any sequence of letters.
 *
 * Names are not checked against {@link actionsOf}: a policy may contain actions that this version does not know.
 *
 * @returns the pattern, or the reason why the text is not valid.
 */
export function parseActionPattern(source: string): TextPattern | string {
  if (!/^[A-Za-z0-9*]+$/.test(source)) return 'must be letters, digits and `*`, for example `updateOn` or `update*`'
  return parseTextPattern(source)
}
