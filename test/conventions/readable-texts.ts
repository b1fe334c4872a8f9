import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ReadableText } from '../readable-source.ts'
import { root } from '../root.ts'
import { readSource } from '../source-imports.ts'

/** Returns every name, comment, message, test title and paragraph that this repository contains. */
export function readableTexts(): ReadableText[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => existsSync(path.join(root, file)))
  return files.flatMap((file) => {
    if (/\.m?tsx?$/.test(file)) return readSource(file).texts
    // The generated pages repeat texts of the sources.
    if (file.endsWith('.md') && !file.startsWith('docs/reference/')) return textsOfMarkdown(file)
    return []
  })
}

function textsOfMarkdown(file: string): ReadableText[] {
  let inFence = false
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) inFence = !inFence
      const text = line.replace(/`[^`]*`|\]\([^)]*\)/g, '')
      return inFence || text.trim() === '' ? [] : [{ kind: 'markdown' as const, file, line: index + 1, text }]
    })
}
