import type { Bind } from './bind.ts'

/** Returns conditions that are true at and under a scope: two ranges of an index. */
export function underScope(scope: string, bind: Bind): string[] {
  return scope === '' ? [] : [`(${rangesUnder(scope, bind).join(' or ')})`]
}

/**
 * Returns two conditions: one for documents at a scope, one for documents under it. Each condition is one range of an
 * index, and no row meets both.
 */
export function rangesUnder(scope: string, bind: Bind): readonly [at: string, under: string] {
  // `;` is the character after `:`, so this range contains what begins with the scope and a colon.
  return [`scope = ${bind(scope)}`, `scope >= ${bind(`${scope}:`)} and scope < ${bind(`${scope};`)}`]
}
