import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'

/** The files of the console, as they are served. */
export interface AppFiles {
  /** The document of every page, with placeholders for the mount path and the version header. */
  readonly html: string
  /** The other files, by names that contain a hash of their content. */
  readonly assets: Readonly<Record<string, string>>
}

const folder = path.resolve(import.meta.dirname, '../app')

/** The folder of a package in the path of one of its files. */
const packageFolder = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/

/**
 * Builds the console from its sources. Pages that are not needed at first are files of their own.
 *
 * @returns the files, and the folders of the packages whose code is in them.
 */
export async function bundleApp(): Promise<{ readonly files: AppFiles; readonly packages: readonly string[] }> {
  const [html, style, icon, scripts] = await Promise.all([
    readFile(path.join(folder, 'index.html'), 'utf8'),
    readFile(path.join(folder, 'app.css'), 'utf8'),
    readFile(path.join(folder, '../page/icon.svg'), 'utf8'),
    bundleScripts(),
  ])
  const styleName = hashedName('app', 'css', style)
  const iconName = hashedName('icon', 'svg', icon)
  const document = html
    .replace('{{style}}', styleName)
    .replace('{{icon}}', iconName)
    .replace('{{script}}', scripts.entry)
    .replace('{{preloads}}', scripts.atFirst.map(preload).join('\n'))
  const files = { html: document, assets: { ...scripts.files, [styleName]: style, [iconName]: icon } }
  return { files, packages: scripts.packages }
}

/** Makes the browser load a script at the same time as the script that imports it, instead of after it. */
function preload(name: string): string {
  return `<link rel="modulepreload" href="{{base}}/-/assets/${name}">`
}

function hashedName(name: string, extension: string, content: string): string {
  return `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`
}

async function bundleScripts() {
  const { outputFiles, metafile } = await build({
    entryPoints: { app: path.join(folder, 'main.tsx') },
    bundle: true,
    minify: true,
    write: false,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Bundles source instead of builds, as for the insights page.
    conditions: ['@halyard/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // The build writes the licenses of all packages into one file.
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  })
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]))
  const entry = [...texts.keys()].find((name) => name.startsWith('app-')) as string
  const loadable = outputsFrom(metafile, entry, 'all')
  const inputs = [...loadable.values()].flatMap((output) => Object.keys(output.inputs))
  const folders = inputs.flatMap((file) => packageFolder.exec(path.resolve(file))?.[0] ?? [])
  return {
    files: Object.fromEntries([...loadable.keys()].map((name) => [name, texts.get(name) ?? ''])),
    entry,
    atFirst: [...outputsFrom(metafile, entry, 'static')].map(([name]) => name).filter((name) => name !== entry),
    packages: [...new Set(folders)].sort(),
  }
}

type Output = Metafile['outputs'][string]

/**
 * Returns the names of the files that a browser loads with the entry, and of all files that it may load. esbuild also
 * writes a file for each dynamic import in a module that it removes. Modules of the engine are removed in this way,
 * because the console uses only the policy rules.
 */
function outputsFrom({ outputs }: Metafile, entry: string, imports: 'static' | 'all'): Map<string, Output> {
  const byName = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]))
  const loadable = new Map<string, Output>()
  const add = (name: string) => {
    const output = byName.get(name)
    if (!output || loadable.has(name)) return
    loadable.set(name, output)
    for (const { path: imported, kind } of output.imports)
      if (imports === 'all' || kind === 'import-statement') add(path.basename(imported))
  }
  add(entry)
  return loadable
}
