import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** The files of the page, as they are served. */
export interface PageFiles {
  readonly html: string
  readonly script: string
  readonly style: string
  readonly icon: string
}

const folder = path.resolve(import.meta.dirname, '../page')

/** Builds the page's files from their sources. The script keeps the license comments of bundled packages. */
export async function bundlePage(): Promise<PageFiles> {
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const [html, style, icon, script] = await Promise.all([
    read('page.html'),
    read('page.css'),
    read('icon.svg'),
    bundleScript(),
  ])
  return { html, style, icon, script }
}

async function bundleScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'main.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // Bundles source instead of builds: the page needs one table of the engine, and only from source the rest can be
    // omitted.
    conditions: ['@halyard/source'],
    legalComments: 'eof',
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
