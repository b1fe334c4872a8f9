import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Application } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { exportedDeclarations } from '../../test/exported-declarations.ts'
import { publicModules } from '../../test/packages/public-modules.ts'
import { root } from '../../test/root.ts'

/** Folder of the committed pages. */
export const libraryFolder = path.join(root, 'docs/reference/library')

const introduction = `Exports of each package, generated from the docstrings by \`npm run generate\`. The operations, which core exports
one by one, are in the [reference of the operations](../README.md).`

/** Names of entry points, e.g. `@halyard/core/policy`, by the name of its page. */
const titles = new Map(publicModules.map(({ name }) => [name.replace('@halyard/', '').replace('/', '-'), name]))

/** Layout of the Markdown: one page for each module, properties in tables. */
const markdownOptions = {
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideModifiers: true },
  pageTitleTemplates: { index: 'The library', module: ({ name }) => titles.get(name) ?? name },
} satisfies Partial<PluginOptions>

/**
 * Generates Markdown from the docstrings of all packages: a page for each module, by file name, and an index. It takes
 * as long as type-checking core.
 *
 * @throws Error for sources that cannot be read.
 */
export async function libraryReference(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-library-'))
  try {
    const application = await Application.bootstrapWithPlugins({
      ...sourceOptions(),
      ...markdownOptions,
      ...outputOptions(folder),
    })
    const project = await application.convert()
    if (!project) throw new Error('TypeDoc could not read the sources')
    for (const page of project.children ?? []) page.name = pageOf(page.name)
    await application.generateOutputs(project)
    return Object.fromEntries(readdirSync(folder).map((file) => [file, withIntroduction(file, folder)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function withIntroduction(file: string, folder: string): string {
  const text = readFileSync(path.join(folder, file), 'utf8')
  return file === 'README.md' ? text.replace('\n', `\n\n${introduction}\n`) : text
}

/** The page of a module: `core` for `core/src`, `core-policy` for `core/src/entries/policy`. */
function pageOf(module: string): string {
  return module.replace('/src', '').replace('/entries', '').replaceAll('/', '-')
}

const sourceOptions = () => ({
  name: 'Halyard',
  entryPoints: publicModules.map(({ file }) => path.join(root, file)),
  exclude: operationFiles(),
  tsconfig: path.join(import.meta.dirname, 'tsconfig.json'),
  // Types are checked by `tsc`.
  skipErrorChecking: true,
  excludeExternals: true,
  disableSources: true,
  disableGit: true,
  readme: 'none',
  logLevel: 'Error' as const,
})

const outputOptions = (folder: string) => ({
  plugin: ['typedoc-plugin-markdown'],
  outputs: [{ name: 'markdown', path: folder }],
  router: 'module',
  githubPages: false,
})

/** Files that declare operations and resources, which the reference of the operations describes. */
function operationFiles(): string[] {
  const modules = ['selectable-operations', 'selectable-resources'].map(
    (name) => `packages/core/src/generated/${name}.ts`,
  )
  const declarations = modules.flatMap((module) => [...exportedDeclarations(module).values()])
  return [...new Set(declarations.map(({ file }) => path.join(root, file)))]
}
