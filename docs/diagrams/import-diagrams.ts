import { isTest, type SourceFile, sourcesUnder } from '../../test/source-imports.ts'

/** A diagram of a page: the name in its markers, and its text in Mermaid. */
export interface Diagram {
  readonly name: string
  readonly text: string
}

/** An import from one package or folder to another, and whether it imports types only. */
interface ImportArrow {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** Draws the imports between packages and between the folders of core; tests and build scripts are omitted. */
export function importDiagrams(): Diagram[] {
  const sources = sourcesUnder('packages').filter(({ file }) => !isTest(file) && !file.includes('/src/build/'))
  const core = sources.filter(({ file }) => file.startsWith('packages/core/src/'))
  return [
    { name: 'packages', text: flowchart(arrowsBetween(sources, packageOf)) },
    { name: 'core', text: flowchart(arrowsBetween(core, folderOf)) },
  ]
}

/**
 * Inserts diagrams between their markers, `<!-- diagram:name -->` and `<!-- /diagram:name -->`.
 *
 * @throws Error that names a diagram for which the page has no markers.
 */
export function withDiagrams(page: string, diagrams: readonly Diagram[]): string {
  return diagrams.reduce((text, { name, text: diagram }) => {
    const markedSection = new RegExp(`(<!-- diagram:${name} -->\n).*?(<!-- /diagram:${name} -->)`, 's')
    if (!markedSection.test(text)) throw new Error(`the page has no markers for the diagram "${name}"`)
    return text.replace(
      markedSection,
      (_, before: string, after: string) => `${before}\n\`\`\`mermaid\n${diagram}\`\`\`\n\n${after}`,
    )
  }, page)
}

const packageOf = (file: string) => /^packages\/([^/]+)\//.exec(file)?.[1]

/** Returns the top folder of a file in core. Files above all folders and entry points belong to `engine`. */
const folderOf = (file: string) => {
  const inside = /^packages\/core\/src\/(.+)/.exec(file)?.[1]
  return inside && (/^(?!(?:entries|generated)\/)([^/]+)\//.exec(inside)?.[1] ?? 'engine')
}

function arrowsBetween(sources: readonly SourceFile[], groupOf: (file: string) => string | undefined): ImportArrow[] {
  const arrows = new Map<string, ImportArrow>()
  for (const { file, imports } of sources) {
    for (const { target, typeOnly } of imports) {
      const [from, to] = [groupOf(file), target && groupOf(target)]
      if (!from || !to || from === to) continue
      const existing = arrows.get(`${from} ${to}`)
      arrows.set(`${from} ${to}`, { from, to, typeOnly: typeOnly && (existing?.typeOnly ?? true) })
    }
  }
  return [...arrows.keys()].sort().map((key) => arrows.get(key) as ImportArrow)
}

/** Returns a Mermaid flowchart; arrows for type imports are dotted. */
function flowchart(arrows: readonly ImportArrow[]): string {
  const lines = arrows.map(({ from, to, typeOnly }) => `  ${from} ${typeOnly ? '-.->' : '-->'} ${to}`)
  return `${['flowchart TD', ...lines].join('\n')}\n`
}
