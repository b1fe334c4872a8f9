import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root, sourceFiles } from './source-files.ts'

/** A number in the source that bounds something: `rules/json-guard.ts#maxFaults`. */
export interface SourceLimit {
  readonly id: string
  readonly value: number
}

const named = /^(?:export )?const ((?:most|longest|deepest|max|MAX_|patience|default[A-Z]\w*Budget)\w*) = ([\d_ *]+)$/gm

/** Every constant of core that is named as a limit and is a number. */
export function sourceLimits(): SourceLimit[] {
  const folder = path.join(root, 'packages/core/src')
  return sourceFiles(folder).flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(named)].map(([, name, written]) => ({
      id: `${file}#${name}`,
      value: product(written as string),
    })),
  )
}

/** `8 * 1024` and `15_000`. */
function product(written: string): number {
  return written.split('*').reduce((result, factor) => result * Number(factor.replaceAll('_', '')), 1)
}
