import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** The files of the pages, as they are served. */
export interface PageFiles {
  readonly html: string
  readonly script: string
  readonly style: string
  readonly icon: string
  readonly invitationHtml: string
  readonly invitationScript: string
}

const folder = path.resolve(import.meta.dirname, '../page')

/** Builds the files of the pages from their sources. A script keeps the license comments of bundled packages. */
export async function bundlePage(): Promise<PageFiles> {
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const [html, style, icon, invitationHtml, script, invitationScript] = await Promise.all([
    read('page.html'),
    read('page.css'),
    read('icon.svg'),
    read('invitation.html'),
    bundleScript('main.ts'),
    bundleScript('invitation.ts'),
  ])
  return { html, style, icon, script, invitationHtml, invitationScript }
}

async function bundleScript(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, source)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // Bundles sources and not builds: the page needs one table of the engine, and only with sources the bundler can
    // leave out the rest.
    conditions: ['@halyard/source'],
    legalComments: 'eof',
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
