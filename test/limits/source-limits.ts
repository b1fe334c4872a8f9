import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root, sourceFiles } from './source-files.ts'

/** A limit in the source: a numeric constant with its file, such as `rules/json-guard.ts#maxErrors`. */
export interface SourceLimit {
  readonly id: string
  readonly value: number
}

const limitConstant =
  /^(?:export )?const ((?:most|longest|deepest|max|MAX_|patience|default[A-Z]\w*Budget)\w*) = ([\d_ *]+)$/gm

/** Returns every constant of core that is numeric and named like a limit. */
export function sourceLimits(): SourceLimit[] {
  const folder = path.join(root, 'packages/core/src')
  return sourceFiles(folder).flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(limitConstant)].map(([, name, expression]) => ({
      id: `${file}#${name}`,
      value: product(expression as string),
    })),
  )
}

/** Evaluates `8 * 1024` and `15_000`. */
function product(expression: string): number {
  return expression.split('*').reduce((result, factor) => result * Number(factor.replaceAll('_', '')), 1)
}
