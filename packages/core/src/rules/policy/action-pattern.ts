import { parseTextPattern, type TextPattern } from './text-pattern.ts'

/**
 * Reads an action of a statement: a name such as `updateOn`, in which `*` stands for any run of letters.
 *
 * Names are not checked against {@link actionsOf}: a policy may speak of actions that this version does not know.
 *
 * @returns the pattern, or in words why the text is none.
 */
export function parseActionPattern(source: string): TextPattern | string {
  if (!/^[A-Za-z0-9*]+$/.test(source)) return 'must be letters, digits and `*`, for example `updateOn` or `update*`'
  return parseTextPattern(source)
}
