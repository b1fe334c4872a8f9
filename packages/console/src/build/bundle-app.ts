import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** The files of the console, as they are served. */
export interface AppFiles {
  /** The document of every page, with placeholders for the mount path and the version header. */
  readonly html: string
  /** The other files, by names that contain a hash of their content. */
  readonly assets: Readonly<Record<string, string>>
}

const folder = path.resolve(import.meta.dirname, '../app')

/** Builds the console from its sources. Pages that are not needed at first are files of their own. */
export async function bundleApp(): Promise<AppFiles> {
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
  return { html: document, assets: { ...scripts.files, [styleName]: style, [iconName]: icon } }
}

function hashedName(name: string, extension: string, content: string): string {
  return `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`
}

async function bundleScripts() {
  const { outputFiles } = await build({
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
    legalComments: 'none',
    logLevel: 'silent',
  })
  const files = Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.basename(file), text]))
  return { files, entry: Object.keys(files).find((name) => name.startsWith('app-')) as string }
}
